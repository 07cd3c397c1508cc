import Diagnosis
import Trace
import Views

/// What a page's script gets: names and words, the steps, the state before the first one, and what each of them
/// changes.
///
/// A state is a row of numbers. A thread has three: an index into `threadStates`, one into `sites`, and the step since
/// which it is so; an object has one, an index into `objectStates`.
struct PageData {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let cast: Cast
    private let words: StepWords
    /// The indices of the events that have a row, which the page calls steps and counts from 1.
    private let steps: [Int]
    private let sources: PageSources
    private let changes: PageChanges

    init(_ trace: TraceDocument, files: [PageFile], _ options: ReportOptions) {
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
        words = StepWords(cast: cast)
        steps = trace.events.indices.filter { trace.isShown(trace.events[$0]) && trace.events[$0].kind != .runComplete }
        sources = PageSources(trace, files: files, options)
        changes = PageChanges(RunModel(trace), steps: steps, cast)
    }

    func write(to sink: inout ByteSink) {
        sink.write("{\"threads\":")
        sink.write(array: cast.threads) { $1.write(json: $0.text) }
        sink.write(member: "objects", changes.objects) { object, sink in
            sink.write(array: [cast.object(object).text, trace.object(object)?.kind.rawValue ?? ""]) {
                $1.write(json: $0)
            }
        }
        sources.write(to: &sink)
        writeSteps(to: &sink)
        changes.write(to: &sink)
        writeLinks(to: &sink)
        sink.write(member: "findings", options.findings) { writeFinding($0, to: &$1) }
        sink.write("}")
    }

    // MARK: - Steps

    private func writeSteps(to sink: inout ByteSink) {
        var texts = Numbering<String>()
        let runLength = trace.runLength
        let events = steps.map { trace.events[$0] }
        let texted = events.map { texts.number(of: words.label($0).text) }
        sink.write(",\"steps\":{\"text\":")
        sink.write(array: texted) { $1.write(String($0)) }
        sink.write(member: "thread", Array(zip(steps, events))) { step, sink in
            let hasThread =
                !step.1.kind.concernsRun && step.0 < runLength && Int(step.1.thread.index) < cast.threads.count
            sink.write(hasThread ? String(step.1.thread.index) : "-1")
        }
        sink.write(member: "object", events) { $1.write(String(changes.place(of: $0.object) ?? -1)) }
        sink.write(member: "site", events) { $1.write(String(trace.site($0.site) == nil ? 0 : $0.site.index)) }
        sink.write(member: "mark", events) { $1.write(String(Self.mark($0.kind.effect))) }
        sink.write("}")
        sink.write(member: "texts", texts.all) { $1.write(json: $0) }
    }

    /// As in the lanes of other reports.
    private static func mark(_ effect: Effect) -> Int {
        if effect.isFailure { return 3 }
        if effect.blocks { return 1 }
        return effect.endsThread || effect == .endRun(.exit) ? 2 : 0
    }

    // MARK: - Links and findings

    private func writeLinks(to sink: inout ByteSink) {
        var stepOf: [Int: Int] = [:]
        for (number, event) in steps.enumerated() { stepOf[event] = number + 1 }
        let kinds = Cause.Kind.allCases
        var finder = CauseFinder()
        var links: [[Int]] = []
        for (index, event) in trace.events.enumerated() {
            finder.consume(event)
            guard let to = stepOf[index] else { continue }
            for cause in finder.causes where cause.isHandOver {
                guard let from = stepOf[cause.event], let kind = kinds.firstIndex(of: cause.kind) else { continue }
                links.append([kind, from, to])
            }
        }
        sink.write(member: "linkKinds", kinds) { $1.write(json: $0.rawValue) }
        sink.write(member: "links", links) { link, sink in sink.write(array: link) { $1.write(String($0)) } }
    }

    private func writeFinding(_ finding: Finding, to sink: inout ByteSink) {
        sink.write("{\"code\":")
        sink.write(json: finding.code.rawValue)
        sink.write(",\"severity\":")
        sink.write(json: finding.severity.rawValue)
        sink.write(",\"summary\":")
        sink.write(json: cast.label(finding.summary).text)
        sink.write(member: "story", finding.story) { $1.write(json: cast.label($0).text) }
        if let advice = finding.advice ?? finding.code.explanation.remedies.first {
            sink.write(",\"advice\":")
            sink.write(json: cast.label(advice).text)
        }
        sink.write(member: "steps", steps(of: finding)) { $1.write(String($0)) }
        sink.write("}")
    }

    /// The last step of each of the finding's threads at each of its lines, which is the one that its story tells.
    private func steps(of finding: Finding) -> [Int] {
        struct Spot: Hashable {
            var thread: ThreadID
            var site: SiteID
        }
        var last: [Spot: Int] = [:]
        for (number, index) in steps.enumerated() {
            let event = trace.events[index]
            guard finding.threads.contains(event.thread), finding.sites.contains(event.site) else { continue }
            guard finding.objects.isEmpty || event.object == .none || finding.objects.contains(event.object) else {
                continue
            }
            last[Spot(thread: event.thread, site: event.site)] = number + 1
        }
        return last.values.sorted()
    }
}
