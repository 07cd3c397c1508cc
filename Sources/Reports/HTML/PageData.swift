import Diagnosis
import Text
import Trace
import Views

/// The data of a run's page, which its script reads as JSON: names and words, the steps, the state before the first
/// step, and the changes of each step.
///
/// A state is a row of numbers. A thread has three: an index into `threadStates`, an index into `sites`, and the number
/// of the step with which its wait or sleep began (0: none on the page). An object has one, an index into
/// `objectStates`.
struct PageData {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let cast: Cast
    private let words: StepWords
    /// The indices of the events that have a row. The page calls them steps, and counts them from 1.
    private let steps: [Int]
    /// The total number of steps in the run.
    private let stepCount: Int
    /// By the number of an event: the time limit of the wait that it begins, in nanoseconds.
    private let limits: [Int: Int64]
    private let sources: PageSources
    private let changes: PageChanges

    init(_ trace: TraceDocument, files: [PageFile], _ options: ReportOptions) {
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
        words = StepWords(cast: cast)
        let roles: [EventRoles.Role]
        (roles, limits) = trace.roles(options.details())
        let all = trace.rows(roles)
        stepCount = all.count
        let window = PageWindow(trace, all)
        sources = PageSources(trace, files: files, options)
        changes = PageChanges(RunModel(trace), steps: window.steps, after: window.begin, cast)
        steps = Array(window.steps.prefix(changes.count))
    }

    /// The steps on the page, if they are not all: `the last 200,000 of 3,000,000 steps`.
    var part: String? {
        guard steps.count < stepCount else { return nil }
        return "\(changes.isCut ? "" : "the last ")\(steps.count.grouped) of \(stepCount.grouped) steps"
    }

    func write(to sink: inout ByteSink) {
        sink.writeObject { json in
            json.array("threads", cast.threads.map(\.text))
            json.array("objects") { json in
                for object in changes.objects {
                    json.array([cast.object(object).text, trace.object(object)?.kind.title ?? ""])
                }
            }
            sources.write(to: &json)
            writeSteps(to: &json)
            changes.write(to: &json)
            writeLinks(to: &json)
            writeReasons(to: &json)
            let findings = options.findings.explained(by: trace)
            let past = findings.isEmpty ? nil : RunPast(trace)
            json.objects("findings", Array(findings.enumerated())) {
                write($0.element, $0.offset < Self.mostAccounts ? past : nil, to: &$1)
            }
        }
    }

    // MARK: - Steps

    private func writeSteps(to json: inout JSONObject) {
        var texts = Numbering<String>()
        let runLength = trace.runLength
        let events = steps.map { trace.events[$0] }
        json.object("steps") { json in
            json.array(
                "text", zip(steps, events).map { texts.number(of: words.label($1, at: $0, limit: limits[$0]).text) })
            json.array(
                "thread",
                zip(steps, events).map { step, event in
                    let hasThread =
                        !event.kind.concernsRun && step < runLength && Int(event.thread.index) < cast.threads.count
                    return hasThread ? Int(event.thread.index) : -1
                })
            json.array("object", events.map { changes.place(of: $0.object) ?? -1 })
            json.array("site", events.map { trace.site($0.site) == nil ? 0 : $0.site.index })
            json.array(
                "mark",
                zip(steps, events).map { StepMark($1.kind, isOutOfOrder: words.isOutOfOrder($0)).rawValue })
        }
        json.array("texts", texts.all)
    }

    // MARK: - Links and findings

    private func writeLinks(to json: inout JSONObject) {
        var stepOf: [Int: Int] = [:]
        for (number, event) in steps.enumerated() { stepOf[event] = number + 1 }
        let kinds = Cause.Kind.allCases
        var finder = CauseFinder()
        var links: [[Int]] = []
        for (index, event) in trace.events.enumerated() {
            finder.consume(event)
            guard let to = stepOf[index] else { continue }
            for cause in finder.causes where cause.isShown {
                guard let from = stepOf[cause.event], let kind = kinds.firstIndex(of: cause.kind) else { continue }
                links.append([kind, from, to])
            }
        }
        json.array("linkKinds", kinds.map(\.rawValue))
        json.array("links") { json in for link in links { json.array(link) } }
    }

    /// Writes by step number why the step is allowed, for steps that only a weaker memory model allows.
    private func writeReasons(to json: inout JSONObject) {
        let reasons = WeakReasons(trace)
        let names = Names(trace)
        json.object("reasons") { json in
            for (number, event) in steps.enumerated() {
                guard let reason = reasons.paragraph(event, in: names) else { continue }
                json.member(named: "\(number + 1)", cast.label(reason).text)
            }
        }
    }

    /// How many findings have accounts. No reader looks at more, and each takes some work.
    private static let mostAccounts = 50

    private func write(_ finding: Finding, _ past: RunPast?, to json: inout JSONObject) {
        json.member("code", finding.code.rawValue)
        json.member("severity", finding.severity.rawValue)
        json.member("summary", cast.label(finding.summary).text)
        json.array("story", finding.story.map { cast.label($0).text })
        let advice = finding.advice ?? finding.code.explanation.remedies.first
        json.member("advice", advice.map { cast.label($0).text })
        if finding.sites.contains(where: { trace.site($0)?.calls.isEmpty == false }) {
            json.array(
                "calls", SourceLine.all(of: finding, in: trace, options).map { ($0.place + Label("  ") + $0.text).text }
            )
        }
        json.array("steps", past.map { steps(of: finding, $0) } ?? [])
    }

    /// The steps of the finding's account.
    private func steps(of finding: Finding, _ past: RunPast) -> [Int] {
        Account(of: finding, past).steps.compactMap { step in
            var (low, high) = (0, steps.count)
            while low < high {
                let middle = (low + high) / 2
                if steps[middle] < step.event { low = middle + 1 } else { high = middle }
            }
            return low < steps.count && steps[low] == step.event ? low + 1 : nil
        }
    }
}

/// The steps that a page shows: all of them or, because browsers and memory have limits, the last ones.
struct PageWindow {
    /// The numbers of their events.
    let steps: [Int]
    /// The number of events up to the last step that is not on the page. The page begins with the state after them.
    let begin: Int

    struct Limits {
        var steps = 200_000
        /// The maximum number of threads that are compared for changes. An event may change its own thread, and each
        /// waiting one.
        var looks = 1 << 23
    }

    /// - Parameter all: the indices of the events that are steps.
    init(_ trace: TraceDocument, _ all: [Int], within limits: Limits = Limits()) {
        var waits = Array(repeating: false, count: trace.threads.count)
        var waiting = 0
        var looks = 0
        /// By step: the value of `looks` up to and including it.
        var sums: [Int] = []
        sums.reserveCapacity(all.count)
        for (index, event) in trace.events.enumerated() {
            let thread = Int(event.thread.index)
            if waits.indices.contains(thread), waits[thread] != event.kind.effect.blocks {
                waits[thread].toggle()
                waiting += waits[thread] ? 1 : -1
            }
            looks += 1 + waiting
            if sums.count < all.count, all[sums.count] == index { sums.append(looks) }
        }
        let first = max(
            all.count - limits.steps, sums.firstIndex { (sums.last ?? 0) - $0 <= limits.looks } ?? 0, 0)
        steps = Array(all.dropFirst(first))
        begin = first == 0 ? 0 : all[first - 1] + 1
    }
}

/// The files of a program, and the places in them: the whole text of each known file, and for other files the lines
/// that the run reached.
struct PageSources {
    private struct File {
        var name: String
        var lines: [(number: Int, text: String)]
    }

    private var files: [File] = []
    /// The file and the line of each site.
    private var sites: [(file: Int, line: Int)?] = []

    init(_ trace: TraceDocument, files known: [PageFile], _ options: ReportOptions) {
        var numbers: [String: Int] = [:]
        for site in trace.sites {
            guard let site else {
                sites.append(nil)
                continue
            }
            if numbers[site.file] == nil {
                numbers[site.file] = files.count
                files.append(Self.file(site, known))
            }
            sites.append((numbers[site.file] ?? 0, site.line))
        }
        addLines(trace, Set(known.map(\.name)), options)
    }

    private static func file(_ site: TraceDocument.Site, _ known: [PageFile]) -> File {
        let text = known.first { $0.name == site.file }?.text ?? ""
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        while lines.last?.isEmpty == true { lines.removeLast() }
        return File(
            name: Label(site.shortFile).text, lines: lines.enumerated().map { ($0.offset + 1, Self.safe($0.element)) })
    }

    /// The line made safe, with each tab replaced by four blanks.
    private static func safe(_ line: Substring) -> String { Label(String(line.replacing("\t", with: "    "))).text }

    private mutating func addLines(_ trace: TraceDocument, _ known: Set<String>, _ options: ReportOptions) {
        guard let source = options.source else { return }
        var seen: Set<[Int]> = []
        for (number, site) in trace.sites.enumerated() {
            guard let site, !known.contains(site.file), let text = source(site), let place = sites[number] else {
                continue
            }
            guard seen.insert([place.file, site.line]).inserted else { continue }
            files[place.file].lines.append((site.line, Label(text).text))
        }
        for file in files.indices { files[file].lines.sort { $0.number < $1.number } }
    }

    func write(to json: inout JSONObject) {
        json.objects("files", files) { file, json in
            json.member("name", file.name)
            json.array("lines") { json in
                for line in file.lines {
                    json.array { json in
                        json.element(line.number)
                        json.element(line.text)
                    }
                }
            }
        }
        json.array("sites") { json in
            for site in sites {
                if let site { json.array([site.file, site.line]) } else { json.element(JSONText.null) }
            }
        }
    }
}
