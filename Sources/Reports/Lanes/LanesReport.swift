import Diagnosis
import Trace

/// A column for each thread and a row for each step, as one draws it on a board; then how the run ended.
struct LanesReport {
    /// How a thread looks in the rows of the others.
    private enum State { case absent, running, blocked }

    private let trace: TraceDocument
    private let options: ReportOptions
    private let cast: Cast
    private let plan: LanePlan
    private let marks: LaneMarks
    private let words: StepWords
    private let runLength: Int

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
        plan = LanePlan(trace, cast, width: options.width, ascii: options.ascii)
        marks = LaneMarks(ascii: options.ascii)
        words = StepWords(cast: cast)
        runLength = trace.runLength
    }

    func write(to sink: inout ByteSink) {
        Title(trace: trace, options: options).write(to: &sink)
        writeHeadings(to: &sink)
        var states = [State](repeating: .absent, count: plan.lanes.count)
        if !states.isEmpty { states[0] = .running }
        for (index, event) in trace.events.enumerated() {
            // That the run came to its end is said below.
            if trace.isShown(event) && event.kind != .runComplete { writeRow(event, index, states, to: &sink) }
            if index < runLength { update(&states, event) }
        }
        if trace.outcome?.kind == .deadlock { writeStuck(states, to: &sink) }
        Summary(trace: trace, options: options).write(to: &sink)
        sink.flush()
    }

    private func writeHeadings(to sink: inout ByteSink) {
        var line = Line(options)
        for (index, lane) in plan.lanes.enumerated() {
            line.put(lane.title, at: lane.column, lane.isShared ? .dim : .thread(index), to: &sink)
        }
        line.end(to: &sink)
        for lane in plan.lanes {
            let rule = String(repeating: marks.rule.text, count: lane.width)
            line.put(Label(rule, ascii: options.ascii), at: lane.column, .dim, to: &sink)
        }
        line.end(to: &sink)
    }

    // MARK: - Rows

    private func writeRow(_ event: Event, _ index: Int, _ states: [State], to sink: inout ByteSink) {
        var line = Line(options)
        line.put(Label(String(index + 1)), before: plan.numberEnd, .dim, to: &sink)
        if event.kind.concernsRun || index >= runLength {
            writeRunEvent(event, &line, to: &sink)
        } else {
            writeStep(event, states, &line, to: &sink)
        }
        line.end(to: &sink)
    }

    private func writeStep(_ event: Event, _ states: [State], _ line: inout Line, to sink: inout ByteSink) {
        let own = plan.lane(of: event.thread)
        for (index, lane) in plan.lanes.enumerated() {
            if index == own {
                let colour = event.kind.effect.isFailure ? Colour.bad : .thread(Int(event.thread.index))
                line.put(cell(event, lane), at: lane.column, colour, to: &sink)
            } else if states[index] != .absent {
                let isBlocked = states[index] == .blocked
                line.put(isBlocked ? marks.blocked : marks.idle, at: lane.column, .dim, to: &sink)
            }
        }
        if let column = plan.site { line.put(cast.site(event.site), at: column, .dim, to: &sink) }
    }

    private func cell(_ event: Event, _ lane: LanePlan.Lane) -> Label {
        let who = lane.isShared ? cast.thread(event.thread) + Label(": ") : .empty
        let text = who + words.label(event, within: lane.width - who.width - 2)
        return (mark(event.kind) + Label(" ") + text).clipped(to: lane.width, ascii: options.ascii)
    }

    private func mark(_ kind: EventKind) -> Label {
        let effect = kind.effect
        if effect.isFailure { return marks.failure }
        if effect.blocks { return marks.blocked }
        return effect == .endThread || effect == .endRun(.exit) ? marks.end : marks.step
    }

    private func writeRunEvent(_ event: Event, _ line: inout Line, to sink: inout ByteSink) {
        let column = plan.numberEnd + 2
        let clipped = words.label(event).clipped(to: max(options.width - column, 1), ascii: options.ascii)
        line.put(clipped, at: column, event.kind.effect.isFailure ? .bad : .dim, to: &sink)
    }

    /// The last row of a deadlock: who is left standing.
    private func writeStuck(_ states: [State], to sink: inout ByteSink) {
        guard states.contains(.blocked) else { return }
        var line = Line(options)
        for (lane, state) in zip(plan.lanes, states) where state == .blocked {
            let text = marks.failure + Label(" for ever")
            line.put(text.clipped(to: lane.width, ascii: options.ascii), at: lane.column, .bad, to: &sink)
        }
        line.end(to: &sink)
    }

    /// A lane that threads share shows no state: it would be one thread's, and the reader could not tell whose.
    private func update(_ states: inout [State], _ event: Event) {
        let lane = plan.lane(of: event.thread)
        guard !event.kind.concernsRun, lane >= 0, !plan.lanes[lane].isShared else { return }
        let effect = event.kind.effect
        switch effect {
        case .endThread, .cutOffThread, .endRun(.exit): states[lane] = .absent
        default: states[lane] = effect.blocks ? .blocked : .running
        }
    }
}
