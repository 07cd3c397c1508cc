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

    /// The state of threads and objects at the current position, according to the events.
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

    /// The place at which a thread that starts with this step arrives: the step itself says little.
    private func arrival(of thread: Int, after position: Int) -> String {
        guard let next = run.next(thread, after: position), let place = place(next.site) else { return "" }
        let creation = run.trace.events[..<run.events(before: position)].last {
            $0.kind.effect.createsThread && $0.valueAsThread == ThreadID(thread)
        }
        let isNear = creation.map { run.trace.site($0.site)?.line == run.trace.site(next.site)?.line } ?? false
        let code = run.trace.site(next.site).flatMap(program.source).map { ": \($0.printable)" } ?? ""
        return ", and comes to \(place)\(isNear ? "" : code)"
    }

    /// For a step on a part of a built object, such as a barrier's lock, which the program does not name: the words
    /// about the object. Nil: the step is on no such part.
    private func inside(_ events: Range<Int>, of thread: Int) -> String? {
        let parts = events.map { run.trace.events[$0] }.filter { Int($0.thread.index) == thread && $0.object != .none }
        for part in parts {
            guard let object = run.trace.object(part.object), object.kind == .part else { continue }
            return " \(object.owner == .none ? "at" : "inside") \(words.name(part.object))."
        }
        return nil
    }

    /// What the event with this number is: the thread, what it does, the place, and for a recorded order the time.
    func sentence(_ index: Int) -> String {
        let event = run.trace.events[index]
        let place = place(event.site).map { " (\($0))" } ?? ""
        let time = run.isControlled ? "" : " at \(ReadableDuration.text(nanoseconds: Int64(clamping: event.time)))"
        return "\(words.name(event.thread)): \(words.step(event, at: index, limit: run.limits[index]))\(place)\(time)"
    }

    /// Says which threads can step or, for a recorded order, which steps next. Empty: the run is over, or the user is
    /// to predict the next step of a recorded order.
    package var readyLine: String {
        guard run.isControlled else {
            guard position < run.last else { return "" }
            return predicts ? "" : "Next: \(nextRecordedThread) \(name(nextRecordedThread))."
        }
        guard let moment else { return "" }
        if moment.isQuiet { return quietLines.joined(separator: " ") }
        return "Can step: \(list(moment.enabled))."
    }

    /// The question in a quiet moment: whether time passes, or whether a wait ends without a signal.
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

    /// How the run has ended. Empty: it has not ended at the current position.
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
        // The scheduler's view of the thread. Nil: the order was recorded, or the run is over.
        let view = moment?.threads.indices.contains(thread) == true ? moment?.threads[thread] : nil
        if view?.status == .ended || hasEnded(thread) { return "has ended" }
        if let absence = absence(thread) { return absence }
        if let view, view.isEnabled { return "can step" + ability(thread, view.act) + ways(view) }
        if let clause = WaitStory(names, graph).clause(id) { return clause.printableText }
        if let last = lastEvent(of: thread), last.kind.effect == .sleep { return "sleeps" + at(last.site) }
        guard let view else { return run.isOver(at: position) ? "had not ended" : "runs" }
        return view.status == .waking ? "waits for its mutex" : "cannot step now"
    }

    func at(_ site: SiteID) -> String { place(site).map { " at \($0)" } ?? "" }

    private func place(_ site: SiteID) -> String? { names.place(site)?.printable }

    /// For a recorded order: says that the thread has not been created, has not begun, or was cut off. Nil: it runs or
    /// has ended, or the run is controlled.
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
        // In the known run, another thread steps first, and then this one waits. If it steps now, it need not wait.
        if case .wait = next.kind.effect { return at(next.site) }
        guard !next.kind.isAside else { return at(next.site) }
        return ": \(words.step(next))\(at(next.site))"
    }

    /// Under a weaker memory model: says that the step, as it was described, is only one of several ways.
    private func ways(_ view: Moment.Thread) -> String {
        view.newer.count > 1 && !predicts ? ", or another of its \(view.newer.count) ways" : ""
    }

    func lastEvent(of thread: Int) -> Event? {
        run.trace.events[..<eventCount].last { Int($0.thread.index) == thread }
    }

    /// Where the thread is in the source: at its next step in the known run; or, if there is none, at its last step;
    /// or, if it has taken none, where it was created.
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

    /// The run up to the current position as lanes.
    ///
    /// - Parameter rows: the maximum number of rows, which are the last ones. Nil: all are shown.
    package func lanes(
        width: Int? = nil, rows: Int? = nil, ascii: Bool = true, color: Bool = false
    ) -> [String] {
        var options = ReportOptions(width: width ?? Self.usualWidth, color: color, ascii: ascii)
        options.rowWidth = width
        options.mostRows = rows
        options.keptRows = .last
        options.showsOnlyRows = true
        options.foldsCycles = false
        return report(.lanes, options)
    }

    /// The width of reports that are not for the screen, in columns.
    private static let usualWidth = 100

    var traceLines: [String] {
        var options = ReportOptions(width: Self.usualWidth, ascii: true)
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
    /// The text made printable. `printable` cuts off a long text, so it is applied to each word.
    var printableText: String {
        split(separator: " ", omittingEmptySubsequences: false).map(\.printable).joined(separator: " ")
    }
}
