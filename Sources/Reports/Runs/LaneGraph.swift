import Trace

/// The columns of the lane graph: a row's number, a lane of marks for each thread, the name of the thread that takes
/// the step, the step in words, and its source location.
///
/// Lanes are three columns wide, or two or one if the words need the room. If that is not enough, the last threads
/// share a lane; the name identifies the thread of a step.
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
    /// Nil: as wide as the text.
    let textWidth: Int?
    /// Nil: there is no room for places.
    let place: Int?
    /// Nil: as wide as the place.
    let placeWidth: Int?

    /// The minimum width of words, which lanes do not use.
    private static let enoughText = 28
    private static let leastText = 12
    /// Room for a line of source.
    private static let leastCode = 20
    private static let leastWidth = 20

    /// - Parameters:
    ///   - numberWidth: the width of what each row begins with.
    ///   - widest: the widths, in columns, of the widest name, text and place of a row.
    init(numberWidth: Int, threads: Int, widest: (name: Int, text: Int, place: Int), _ options: ReportOptions) {
        numberEnd = max(numberWidth, 2)
        let lanesBegin = numberEnd + 2
        guard let width = options.rowWidth.map({ max($0, Self.leastWidth) }) else {
            laneWidth = threads > 30 ? 2 : 3
            laneCount = threads
            isLastShared = false
            name = lanesBegin + laneWidth * threads
            nameWidth = widest.name
            text = name + nameWidth + 2
            textWidth = nil
            place = text + widest.text + 2
            placeWidth = nil
            return
        }
        let nameWidth = min(widest.name, max(width / 5, 5))
        let leastPlace = options.showsCode ? min(widest.place, Self.leastCode) : widest.place
        let placeRoom = widest.place == 0 ? 0 : leastPlace + 2
        // The rest, for lanes and text.
        let room = width - lanesBegin - nameWidth - 2
        let wanted = min(widest.text, Self.enoughText)
        let laneWidth = [3, 2].first { $0 * threads + wanted + placeRoom <= room } ?? 1
        let hasPlace = placeRoom > 0 && laneWidth * threads + min(widest.text, Self.leastText) + placeRoom <= room
        let textRoom = min(widest.text, Self.leastText)
        laneCount = max(1, min(threads, (room - 1 - textRoom) / laneWidth))
        isLastShared = laneCount < threads
        self.laneWidth = laneWidth
        self.nameWidth = nameWidth
        name = lanesBegin + laneWidth * laneCount + (laneWidth == 1 ? 1 : 0)
        text = name + nameWidth + 2
        let left = max(width - text - (hasPlace ? placeRoom : 0), 1)
        textWidth = left
        place = hasPlace ? text + min(left, widest.text) + 2 : nil
        placeWidth = hasPlace ? width - (text + min(left, widest.text) + 2) : nil
    }

    var laneBegin: Int { numberEnd + 2 }

    func column(ofLane lane: Int) -> Int { laneBegin + lane * laneWidth }

    func lane(of thread: ThreadID) -> Int { min(Int(thread.index), laneCount - 1) }

    /// Whether the lane belongs to several threads. It shows no state: the reader could not tell whose.
    func isShared(_ lane: Int) -> Bool { isLastShared && lane == laneCount - 1 }
}

/// How a step is marked in its thread's lane. A page's script knows the marks by these numbers.
enum StepMark: Int {
    case step, wait, end, failure

    init(_ kind: EventKind) {
        let effect = kind.effect
        self =
            effect.isFailure
            ? .failure : kind.beginsWait ? .wait : effect.endsThread || effect == .endRun(.exit) ? .end : .step
    }
}

/// The marks in the lanes.
struct LaneMarks {
    /// A step of the thread.
    let step: Label
    /// The thread could continue; another one takes the step.
    let idle: Label
    /// The thread is blocked.
    let blocked: Label
    /// The thread's last step.
    let end: Label
    /// Something is wrong.
    let failure: Label
    /// Rows that are not shown.
    let gap: Label

    init(ascii: Bool) {
        step = Label(ascii ? "*" : "●")
        idle = Label(ascii ? "|" : "│")
        blocked = Label(ascii ? ":" : "┆")
        end = Label(ascii ? "#" : "■")
        failure = Label(ascii ? "!" : "✗")
        gap = Label(ascii ? "." : "⋮")
    }

    /// The mark of an event in its thread's own lane.
    func mark(of kind: EventKind) -> Label {
        switch StepMark(kind) {
        case .step: step
        case .wait: blocked
        case .end: end
        case .failure: failure
        }
    }

    /// The marks of a row: of the step in its thread's lane, of the states in the others.
    ///
    /// - Parameters:
    ///   - column: where the row begins.
    ///   - step: nil in a row that continues the one above.
    ///   - isMarked: whether the finding tells of the step.
    func put(
        _ states: LaneStates, in layout: LaneLayout, at column: Int = 0, step: (event: Event, color: Color)? = nil,
        isMarked: Bool = false, _ line: inout Line, to sink: inout ByteSink
    ) {
        let own = step.map { layout.lane(of: $0.event.thread) }
        for lane in states.all.indices {
            let place = column + layout.column(ofLane: lane)
            if let step, lane == own {
                line.put(isMarked ? failure : mark(of: step.event.kind), at: place, step.color, gap: 0, to: &sink)
            } else if states[lane] != .absent {
                line.put(states[lane] == .blocked ? blocked : idle, at: place, .dim, gap: 0, to: &sink)
            }
        }
    }
}

/// The states of the threads in their lanes, as shown in the rows of the others.
struct LaneStates {
    enum State { case absent, running, blocked }

    private(set) var all: [State]

    /// Before the first event only the main thread exists.
    init(_ count: Int) {
        all = Array(repeating: .absent, count: count)
        if count > 0 { all[0] = .running }
    }

    mutating func grow(to count: Int) {
        while all.count < count { all.append(.absent) }
    }

    subscript(_ lane: Int) -> State { all[lane] }

    /// Applies an event of a thread that has a lane of its own.
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
    /// Whether the thread waits from here on, or says that it is about to.
    var beginsWait: Bool { blocks || self == .objectWait }
}
