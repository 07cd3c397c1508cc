import Trace

/// The columns of the lane graph: a row's number, a lane of marks for each thread, the name of the thread that takes
/// the step, the step in words, and its source location.
///
/// Lanes are three columns wide, or two or one if the words need the room. If that is not enough, the last threads
/// share a lane, and the name identifies the thread of a step.
struct LaneLayout {
    /// The column before which a row's number ends.
    let numberEnd: Int
    let laneWidth: Int
    let laneCount: Int
    /// Whether several threads share the last lane.
    let isLastShared: Bool
    let name: Int
    let nameWidth: Int
    let text: Int
    /// The maximum width of the text. Nil: no limit.
    let textWidth: Int?
    /// The column of the source location. Nil: there is no room for it.
    let place: Int?
    /// The maximum width of the source location. Nil: no limit.
    let placeWidth: Int?

    /// The width that the words get, if they need it, before lanes get more than one column.
    private static let enoughText = 28
    /// The width that the words get, if they need it, before the source location and further lanes get any.
    private static let leastText = 12
    /// The minimum width of a line of source.
    private static let leastCode = 20
    /// The minimum width of a row.
    private static let leastWidth = 20
    /// Rows without a maximum width get one, `enoughWidth`, if there are more threads than this.
    private static let manyThreads = 30
    private static let enoughWidth = 160
    /// The width of a lane for which there is room.
    private static let widestLane = 3
    /// The gap between two columns.
    private static let gap = 2

    /// - Parameters:
    ///   - numberWidth: the width of the text with which each row begins.
    ///   - widest: the widths, in columns, of the widest name, text and place of a row.
    init(numberWidth: Int, threads: Int, widest: (name: Int, text: Int, place: Int), _ options: ReportOptions) {
        numberEnd = max(numberWidth, 2)
        let lanesBegin = numberEnd + Self.gap
        let most = options.rowWidth ?? (threads > Self.manyThreads ? Self.enoughWidth : nil)
        guard let width = most.map({ max($0, Self.leastWidth) }) else {
            laneWidth = Self.widestLane
            laneCount = threads
            isLastShared = false
            name = lanesBegin + laneWidth * threads
            nameWidth = widest.name
            text = name + nameWidth + Self.gap
            textWidth = nil
            place = text + widest.text + Self.gap
            placeWidth = nil
            return
        }
        // A name gets at most a fifth of the width, or five columns if that is more.
        let nameWidth = min(widest.name, max(width / 5, 5))
        let leastPlace = options.showsCode ? min(widest.place, Self.leastCode) : widest.place
        let placeRoom = widest.place == 0 ? 0 : leastPlace + Self.gap
        // The width that is left for lanes, text and source location.
        let room = width - lanesBegin - nameWidth - Self.gap
        let wanted = min(widest.text, Self.enoughText)
        let laneWidth = [Self.widestLane, 2].first { $0 * threads + wanted + placeRoom <= room } ?? 1
        let hasPlace = placeRoom > 0 && laneWidth * threads + min(widest.text, Self.leastText) + placeRoom <= room
        let textRoom = min(widest.text, Self.leastText)
        // Lanes of one column need a blank between the last one and the names.
        laneCount = max(1, min(threads, (room - 1 - textRoom) / laneWidth))
        isLastShared = laneCount < threads
        self.laneWidth = laneWidth
        self.nameWidth = nameWidth
        name = lanesBegin + laneWidth * laneCount + (laneWidth == 1 ? 1 : 0)
        text = name + nameWidth + Self.gap
        let left = max(width - text - (hasPlace ? placeRoom : 0), 1)
        textWidth = left
        place = hasPlace ? text + min(left, widest.text) + Self.gap : nil
        placeWidth = hasPlace ? width - (text + min(left, widest.text) + Self.gap) : nil
    }

    var laneBegin: Int { numberEnd + Self.gap }

    func column(ofLane lane: Int) -> Int { laneBegin + lane * laneWidth }

    func lane(of thread: ThreadID) -> Int { min(Int(thread.index), laneCount - 1) }

    /// Whether several threads share the lane. It shows no state, because the reader could not tell whose state it is.
    func isShared(_ lane: Int) -> Bool { isLastShared && lane == laneCount - 1 }
}

/// The mark of a step in its thread's lane. The raw values are also in `Template/page.js`.
enum StepMark: Int {
    case step, wait, end, failure
    /// Under a weaker memory model: the step does not read or write the newest value.
    case older
    /// In an account: the finding does not depend on when the step is taken.
    case context

    init(_ kind: EventKind, isOutOfOrder: Bool = false) {
        let effect = kind.effect
        self =
            effect.isFailure
            ? .failure
            : kind.beginsWait
                ? .wait : effect.endsThread || effect == .endRun(.exit) ? .end : isOutOfOrder ? .older : .step
    }
}

/// A step, as shown by its row in the lanes.
struct LaneStep {
    let event: Event
    let color: Color
    var mark: StepMark
    /// The thread whose write the step reads. An arrow leads from its lane to the step. Nil: none.
    var source: (thread: ThreadID, isOlder: Bool)?

    init(_ event: Event, _ color: Color, _ mark: StepMark, source: (thread: ThreadID, isOlder: Bool)? = nil) {
        (self.event, self.color, self.mark, self.source) = (event, color, mark, source)
    }
}

/// The marks in the lanes.
struct LaneMarks {
    /// A step of the thread.
    let step: Label
    /// The thread could continue, but another one takes the step.
    let idle: Label
    /// The thread is blocked.
    let blocked: Label
    /// The thread's last step.
    let end: Label
    /// Something is wrong.
    let failure: Label
    /// A step that does not read or write the newest value.
    let older: Label
    /// A step of an account on which the finding does not depend.
    let context: Label
    /// Rows that are not shown.
    let gap: Label
    private let ascii: Bool

    init(ascii: Bool) {
        step = Label(ascii ? "*" : "●")
        idle = Label(ascii ? "|" : "│")
        blocked = Label(ascii ? ":" : "┆")
        end = Label(ascii ? "#" : "■")
        failure = Label(ascii ? "!" : "✗")
        older = Label(ascii ? "o" : "◇")
        context = Label(ascii ? "," : "◦")
        gap = Label(ascii ? "." : "⋮")
        self.ascii = ascii
    }

    /// The mark of an event in its thread's own lane.
    func mark(_ mark: StepMark) -> Label {
        switch mark {
        case .older: older
        case .context: context
        case .step: step
        case .wait: blocked
        case .end: end
        case .failure: failure
        }
    }

    /// Puts the marks of a row: the step's mark in its thread's lane, and states in the other lanes.
    ///
    /// - Parameters:
    ///   - column: where the row begins.
    ///   - step: nil in a row that continues the one above.
    func put(
        _ states: LaneStates, in layout: LaneLayout, at column: Int = 0, step: LaneStep? = nil, _ line: inout Line,
        to sink: inout ByteSink
    ) {
        let own = step.map { layout.lane(of: $0.event.thread) }
        let arrow = step.flatMap { LaneArrow($0, layout, ascii: ascii) }
        for lane in states.all.indices {
            let place = column + layout.column(ofLane: lane)
            arrow?.put(before: layout.column(ofLane: lane), at: column, &line, to: &sink)
            if let step, lane == own {
                line.put(mark(step.mark), at: place, step.color, gap: 0, to: &sink)
            } else if let label = arrow?.label(inLane: lane, states[lane]) {
                line.put(label, at: place, .dim, gap: 0, to: &sink)
            } else if states[lane] != .absent {
                line.put(states[lane] == .blocked ? blocked : idle, at: place, .dim, gap: 0, to: &sink)
            }
        }
    }
}

/// The arrow in the row of a step that reads another thread's write, from that thread's lane to the step.
private struct LaneArrow {
    private let from: Int
    private let to: Int
    private let layout: LaneLayout
    private let ascii: Bool
    private let isOlder: Bool
    /// The columns from one end to the other, including both.
    private let columns: Range<Int>

    /// Nil: the step has no arrow, or there is no room for it.
    init?(_ step: LaneStep, _ layout: LaneLayout, ascii: Bool) {
        guard let source = step.source, layout.laneWidth > 1 else { return nil }
        from = layout.lane(of: source.thread)
        to = layout.lane(of: step.event.thread)
        guard from != to else { return nil }
        let ends = (layout.column(ofLane: from), layout.column(ofLane: to))
        columns = min(ends.0, ends.1)..<max(ends.0, ends.1) + 1
        self.layout = layout
        self.ascii = ascii
        isOlder = source.isOlder
    }

    private var isToTheRight: Bool { to > from }

    /// Puts the part of the arrow that is between two lanes.
    ///
    /// - Parameters:
    ///   - end: the column of the second of the two lanes, counted from the beginning of the row.
    ///   - column: the column where the row begins.
    func put(before end: Int, at column: Int, _ line: inout Line, to sink: inout ByteSink) {
        for place in max(end - layout.laneWidth + 1, 0)..<end where columns.contains(place) {
            let isHead = isToTheRight ? place == columns.upperBound - 2 : place == columns.lowerBound + 1
            let text = isHead ? head : stroke
            line.put(Label(text), at: column + place, .dim, gap: 0, to: &sink)
        }
    }

    private var head: String { ascii ? isToTheRight ? ">" : "<" : isToTheRight ? "▶" : "◀" }
    private var stroke: String { ascii ? isOlder ? "." : "-" : isOlder ? "╌" : "─" }

    /// What the arrow shows in a lane: its start, or its crossing of a lane in between. Nil: it does not touch the
    /// lane.
    func label(inLane lane: Int, _ state: LaneStates.State) -> Label? {
        guard columns.contains(layout.column(ofLane: lane)) else { return nil }
        if lane != from { return Label(state == .absent ? stroke : ascii ? "+" : "┼") }
        if ascii { return Label("+") }
        if state == .absent { return Label(isToTheRight ? "╶" : "╴") }
        return Label(isToTheRight ? "├" : "┤")
    }
}

/// The states of the threads, shown in their lanes in the rows of other threads.
struct LaneStates {
    enum State { case absent, running, blocked }

    private(set) var all: [State]

    /// Initially only the main thread exists.
    init(_ count: Int) {
        all = Array(repeating: .absent, count: count)
        if count > 0 { all[0] = .running }
    }

    mutating func grow(to count: Int) {
        while all.count < count { all.append(.absent) }
    }

    subscript(_ lane: Int) -> State { all[lane] }

    /// Applies an event, unless its thread shares its lane with others.
    mutating func apply(_ event: Event, _ layout: LaneLayout) {
        let lane = layout.lane(of: event.thread)
        if !event.kind.concernsRun, lane >= 0, !layout.isShared(lane) { apply(event, lane) }
    }

    /// Applies an event of the lane's thread.
    mutating func apply(_ event: Event, _ lane: Int) {
        let effect = event.kind.effect
        let isGone = effect.endsThread || effect == .cutOffThread || effect == .endRun(.exit)
        all[lane] = isGone ? .absent : event.kind.beginsWait ? .blocked : .running
    }
}

extension EventKind {
    /// Whether the thread begins to wait, or announces that it is about to.
    var beginsWait: Bool { blocks || self == .objectWait }
}
