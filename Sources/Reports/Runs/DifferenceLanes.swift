import Trace

/// One of the two runs in a `DifferenceReport`: its lanes, with a row for each step, clipped to a width.
struct DifferenceLanes {
    private let trace: TraceDocument
    private let events: [Int]
    private let roles: [EventRoles.Role]
    private let limits: [Int: Int64]
    private let cast: Cast
    private let words: StepWords
    private let marks: LaneMarks
    private let options: ReportOptions
    private let layout: LaneLayout
    private let width: Int
    private var states: LaneStates
    /// The number of the next event that `states` has not taken into account.
    private var next = 0

    /// - Parameters:
    ///   - steps: the events that have rows.
    ///   - rows: the rows that will be shown.
    init(
        _ trace: TraceDocument, _ steps: TraceDifference.Steps, _ rows: Range<Int>, width: Int, _ options: ReportOptions
    ) {
        var options = options
        options.rowWidth = width
        options.showsCode = false
        self.trace = trace
        (events, roles, limits) = (steps.events, steps.roles, steps.limits)
        self.options = options
        self.width = width
        cast = Cast(trace, options)
        words = StepWords(cast: cast)
        marks = LaneMarks(ascii: options.ascii)
        var widest = (name: 0, text: 0, place: 0)
        for row in rows where row < events.count {
            let event = trace.events[events[row]]
            widest.text = max(widest.text, words.label(event, at: events[row], limit: limits[events[row]]).width)
            widest.name = max(widest.name, cast.thread(event.thread).width)
        }
        layout = LaneLayout(
            numberWidth: String(events.count).utf8.count, threads: cast.threads.count, widest: widest, options)
        states = LaneStates(layout.laneCount)
    }

    /// Puts a row into the line, beginning at the column. Rows must be put in order. After the end of the run nothing
    /// is put.
    ///
    /// - Parameter isMarked: whether the row is the first difference.
    mutating func put(_ row: Int, at column: Int, _ isMarked: Bool, _ line: inout Line, to sink: inout ByteSink) {
        guard row < events.count else { return }
        advance(to: events[row])
        let event = trace.events[events[row]]
        line.put(Label(String(row + 1)), before: column + layout.numberEnd, isMarked ? .bad : .dim, to: &sink)
        let isFailure = event.kind.effect.isFailure
        let mark = StepMark(event.kind, isOutOfOrder: words.isOutOfOrder(events[row]))
        let color = isFailure ? Color.bad : .thread(Int(event.thread.index))
        if !event.kind.concernsRun {
            marks.put(states, in: layout, at: column, step: LaneStep(event, color, mark), &line, to: &sink)
            let name = cast.thread(event.thread).clippedInMiddle(to: layout.nameWidth, ascii: options.ascii)
            line.put(name, at: column + layout.name, .thread(Int(event.thread.index)), to: &sink)
        }
        let text = words.label(event, at: events[row], limit: limits[events[row]]).clipped(
            to: max(width - layout.text, 1), ascii: options.ascii)
        line.put(text, at: column + layout.text, isMarked || isFailure ? .bad : .plain, to: &sink)
    }

    /// Applies the events before this one to the states of the lanes.
    private mutating func advance(to index: Int) {
        while next < index {
            if roles[next] != .inside { states.apply(trace.events[next], layout) }
            next += 1
        }
    }
}
