import Diagnosis
import Machine
import Reports
import Supervision
import Text
import Trace
import Views

/// Sentences about the current position.
extension PlaySession {
    var names: Names {
        var names = Names(run.trace)
        names.omitsFile = run.isInOneFile
        return names
    }

    var present: RunMoment { model.state(after: eventCount) }

    // MARK: - Steps

    /// Describes the step that leaves this position.
    func stepLines(from position: Int) -> [String] {
        let events = run.events(before: position)..<run.events(before: position + 1)
        let shown = events.filter { run.roles[$0] == .step && run.trace.events[$0].kind != .runComplete }
        let head = "Step \(position + 1): "
        guard let first = shown.first else {
            guard let choice = run.step(from: position).first else { return [head + "nothing that is recorded."] }
            if choice.isAlternative {
                return [head + (choice.index == 0 ? "no thread moves." : "a wait ends without a signal.")]
            }
            let place = inside(events, of: choice.index) ?? "; nothing is recorded of it."
            return [head + "\(name(choice.index)) steps\(place)"]
        }
        let event = run.trace.events[first]
        let begin = event.kind.effect == .startThread ? arrival(of: Int(event.thread.index), after: position + 1) : ""
        return [head + sentence(first) + begin] + shown.dropFirst().map { "  Then " + sentence($0) }
    }

    /// The place of a thread that has just started, because this step shows nothing else.
    private func arrival(of thread: Int, after position: Int) -> String {
        guard let next = run.next(thread, after: position), let place = place(next.site) else { return "" }
        let creation = run.trace.events[..<run.events(before: position)].last {
            $0.kind.effect.createsThread && $0.valueAsThread == ThreadID(thread)
        }
        let isNear = creation.map { run.trace.site($0.site)?.line == run.trace.site(next.site)?.line } ?? false
        let code = run.trace.site(next.site).flatMap(program.source).map { ": \($0.printable)" } ?? ""
        return ", and comes to \(place)\(isNear ? "" : code)"
    }

    /// The built object inside which the thread uses a part that the program does not name.
    private func inside(_ events: Range<Int>, of thread: Int) -> String? {
        let parts = events.map { run.trace.events[$0] }.filter { Int($0.thread.index) == thread && $0.object != .none }
        for part in parts {
            guard let object = run.trace.object(part.object), object.kind == .part else { continue }
            return " \(object.owner == .none ? "at" : "inside") \(words.name(part.object))."
        }
        return nil
    }

    func sentence(_ index: Int) -> String {
        let event = run.trace.events[index]
        let place = place(event.site).map { " (\($0))" } ?? ""
        let time = run.isControlled ? "" : " at \(ReadableDuration.text(nanoseconds: Int64(clamping: event.time)))"
        return "\(words.name(event.thread)): \(words.step(event, at: index, limit: run.limits[index]))\(place)\(time)"
    }

    /// Says which threads can step.
    package var readyLine: String {
        guard run.isControlled else {
            guard position < run.last else { return "" }
            return predicts ? "" : "Next: \(nextRecordedThread) \(name(nextRecordedThread))."
        }
        guard let moment else { return "" }
        if moment.isQuiet { return quietLines.joined(separator: " ") }
        return "Can step: \(list(moment.enabled))."
    }

    var quietLines: [String] {
        if let moment, moment.enabled.contains(where: { moment.threads[$0].act != .leaveEarly }) {
            return [
                "The threads that can step only repeat themselves, and another one waits for time.",
                "Type 0: time passes. 1: they go around again, and you choose which thread steps.",
            ]
        }
        return [
            "No thread can step, but a wait may end without a signal.",
            "Type 0: none does. 1: one does, and you choose which thread.",
        ]
    }

    // MARK: - The end

    var overLine: String { "The run is over. 'back' goes back." }

    package var endLines: [String] {
        guard run.isOver(at: position) else { return [] }
        guard let outcome = run.trace.outcome else { return ["The trace ends here."] }
        return ["The run has ended: \(outcome.kind.rawValue). \(outcome.summary.printableText)"]
            + outcome.details.map { "  \($0.printableText)" }
    }

    package var endedWell: Bool { run.isOver(at: position) && run.trace.outcome?.kind == .completed }

    // MARK: - Threads

    /// Says why the thread cannot step, or what it would do.
    package func why(_ thread: Int) -> String {
        let name = name(thread)
        if run.isControlled, moment?.threads.indices.contains(thread) != true, moment != nil {
            return "\(name) does not exist yet."
        }
        return "\(name) \(condition(thread, present.graph))."
    }

    /// The thread's condition, as a clause without the thread.
    func condition(_ thread: Int, _ graph: WaitForGraph) -> String {
        let id = ThreadID(thread)
        let status = moment?.threads.indices.contains(thread) == true ? moment?.threads[thread] : nil
        if status?.status == .ended || hasEnded(thread) { return "has ended" }
        if let absence = absence(thread) { return absence }
        if let status, status.isEnabled { return "can step" + ability(thread, status.act) + ways(status) }
        if let clause = WaitStory(names, graph).clause(id) { return clause.printableText }
        if let last = lastEvent(of: thread), last.kind.effect == .sleep { return "sleeps" + at(last.site) }
        guard let status else { return run.isOver(at: position) ? "had not ended" : "runs" }
        return status.status == .waking ? "waits for its mutex" : "cannot step now"
    }

    func at(_ site: SiteID) -> String { place(site).map { " at \($0)" } ?? "" }

    private func place(_ site: SiteID) -> String? { names.place(site)?.printable }

    /// For a recorded order, whose threads are all known from the start: says that the thread has not been created or
    /// has not begun.
    private func absence(_ thread: Int) -> String? {
        guard !run.isControlled else { return nil }
        return switch present.thread(ThreadID(thread)).activity {
        case .notCreated: "has not been created"
        case .created: "has been created, and has not begun"
        case .cutOff: "was cut off by the end of the process"
        case .running, .asleep, .waiting, .ended, .killed: nil
        }
    }

    /// Whether the thread has been created.
    package func exists(_ thread: Int) -> Bool {
        run.isControlled || present.thread(ThreadID(thread)).activity != .notCreated
    }

    /// Describes the thread's next step, as far as it is known.
    private func ability(_ thread: Int, _ act: Act) -> String {
        if act == .leaveEarly { return ": its wait would end without a signal" }
        if act.isLate { return ": it would give up, out of time" }
        guard !predicts, let next = run.next(thread, after: position) else { return "" }
        // In the known run, another thread came first.
        if case .wait = next.kind.effect { return at(next.site) }
        guard !next.kind.isAside else { return at(next.site) }
        return ": \(words.step(next))\(at(next.site))"
    }

    /// Under a weaker memory model, the preceding words describe only one of several ways.
    private func ways(_ status: Moment.Thread) -> String {
        status.newer.count > 1 && !predicts ? ", or another of its \(status.newer.count) ways" : ""
    }

    func lastEvent(of thread: Int) -> Event? {
        run.trace.events[..<eventCount].last { Int($0.thread.index) == thread }
    }

    /// The line of the thread's next step, or else of its last step, or else of its creation.
    package func site(of thread: Int) -> TraceDocument.Site? {
        let id = ThreadID(thread)
        if let next = run.next(thread, after: position)?.site, next != .unknown { return run.trace.site(next) }
        let known = run.trace.events[..<eventCount].last { event in
            event.site != .unknown
                && (event.thread == id || event.kind.effect.createsThread && event.valueAsThread == id)
        }
        return known.flatMap { run.trace.site($0.site) }
    }

    /// One line for each thread.
    package var threadLines: [String] {
        let graph = present.graph
        let story = WaitStory(names, graph)
        return threads.map { "\($0) \(name($0)): \(sentence(ofThread: $0, story, graph))" }
    }

    var stateLines: [String] {
        let title = "Step \(position) of \(run.last)\(run.isPaused ? ", and further" : "")."
        return [title, "Threads:"] + threadLines.map { "  \($0)" } + objectSection
    }

    private var objectSection: [String] {
        let lines = objectLines
        return lines.isEmpty ? [] : ["Objects:"] + lines.map { "  \($0)" }
    }

    // MARK: - Source

    /// Each thread's line of source.
    package var sourceLines: [String] {
        let graph = present.graph
        let lines = threads.compactMap { thread -> String? in
            guard !graph.hasEnded(ThreadID(thread)), let site = site(of: thread) else { return nil }
            let text = program.source(site).map { ": \($0.printable)" } ?? ""
            return
                "\(thread) \(name(thread)) at \(run.isInOneFile ? "line \(site.line)" : site.shortDescription.printable)\(text)"
        }
        return lines.isEmpty ? ["No line is known."] : lines
    }

    // MARK: - The run so far

    /// - Parameter rows: the last rows of the graph. Nil: all.
    package func lanes(
        width: Int? = nil, rows: Int? = nil, ascii: Bool = true, color: Bool = false
    ) -> [String] {
        var options = ReportOptions(width: width ?? 100, color: color, ascii: ascii)
        options.rowWidth = width
        options.mostRows = rows
        options.keptRows = .last
        options.showsOnlyRows = true
        options.foldsCycles = false
        return report(.lanes, options)
    }

    var traceLines: [String] {
        var options = ReportOptions(width: 100, ascii: true)
        options.rowWidth = nil
        return report(.text, options)
    }

    private func report(_ format: ReportFormat, _ options: ReportOptions) -> [String] {
        let trace = trace
        let text = ByteSink.collect { format.write(trace, options, to: &$0) }
        return text.split(separator: "\n").map(String.init)
    }
}

extension String {
    /// Made printable word by word, because a sentence with names of the program may be longer than the limit for a
    /// name.
    var printableText: String {
        split(separator: " ", omittingEmptySubsequences: false).map(\.printable).joined(separator: " ")
    }
}
