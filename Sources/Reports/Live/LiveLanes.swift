import Trace

/// The latest steps of a run in progress, as rows of a lane graph: the time, a mark in each lane, and the step in
/// words.
struct LiveLanes {
    private let options: ReportOptions
    private let marks: LaneMarks
    private var slots = LaneSlots()
    private var states = LaneStates(1)
    /// Events that have been neither shown nor counted as left out.
    private var pending: [Event] = []
    private var eventRoles = EventRoles()
    /// The roles of the first pending events. Those of the others are determined when the names in them are known.
    private var roles: [(role: EventRoles.Role, limit: Int64?)] = []
    /// The number of steps that were left out since the last row, and of other events that were left out before it was
    /// known that they are not steps.
    private var skipped = 0
    /// The widest place so far, so that columns stay in place.
    private var widestPlace = 0

    /// If more than twice this number of events are pending, only this number is kept.
    private static let mostPending = 2048
    /// The width of a time such as `12.345`, in seconds.
    private static let timeWidth = 7
    private static let textWidth = 40
    private static let widestName = 16
    /// The number of lanes that are added at a time.
    private static let laneStep = 4

    init(_ options: ReportOptions) {
        self.options = options
        marks = LaneMarks(ascii: options.ascii)
    }

    var pendingCount: Int { pending.count }

    mutating func consume(_ events: ArraySlice<Event>) {
        pending += events.suffix(2 * Self.mostPending)
        for event in events.dropLast(2 * Self.mostPending) { skip(event) }
        guard pending.count > 2 * Self.mostPending else { return }
        let surplus = pending.count - Self.mostPending
        for event in pending.prefix(surplus) { skip(event) }
        pending.removeFirst(surplus)
        roles.removeFirst(min(surplus, roles.count))
    }

    /// Leaves out the event, and counts it.
    private mutating func skip(_ event: Event) {
        skipped += 1
        if !event.kind.concernsRun { _ = apply(event, isInside: false) }
    }

    /// Updates the lanes by the event.
    ///
    /// - Returns: the event's lane.
    private mutating func apply(_ event: Event, isInside: Bool) -> Int {
        let lane = slots.lane(of: event)
        states.grow(to: slots.count)
        if !isInside { states.apply(event, lane) }
        slots.release(event)
        return lane
    }

    /// The number of pending events that could be shown as rows.
    mutating func waiting(_ names: TraceDocument) -> Int {
        for event in pending[roles.count...] { roles.append(eventRoles.next(event, in: names)) }
        return zip(pending, roles).reduce(0) { $0 + (Self.isRow($1.0, $1.1.role) ? 1 : 0) }
    }

    private static func isRow(_ event: Event, _ role: EventRoles.Role) -> Bool {
        !event.kind.concernsRun && role == .step
    }

    // MARK: - Rows

    /// The rows of the last `count` pending steps. If steps were left out before them, the first row says how many. No
    /// event is pending afterwards.
    mutating func take(_ count: Int, _ names: TraceDocument, width: Int) -> [String] {
        var surplus = waiting(names) - count
        let events = zip(pending, roles).map { Step(event: $0, role: $1.role, limit: $1.limit) }
        (pending, roles) = ([], [])
        var rows: [Step] = []
        for step in events {
            let isRow = Self.isRow(step.event, step.role)
            if !rows.isEmpty || isRow && surplus <= 0 {
                rows.append(step)
            } else {
                if isRow { surplus -= 1 }
                skip(step.event)
                // It is not a step, so it does not count.
                if !isRow { skipped -= 1 }
            }
        }
        return lines(rows, names, width)
    }

    /// An event and its role.
    private struct Step {
        let event: Event
        let role: EventRoles.Role
        let limit: Int64?
    }

    private mutating func lines(_ steps: [Step], _ names: TraceDocument, _ width: Int) -> [String] {
        guard !steps.isEmpty else { return [] }
        var options = options
        options.rowWidth = width
        let words = StepWords(cast: Cast(names, options))
        let places = RowPlaces(names, Set(names.sites.indices.map { SiteID($0) }), options)
        var lines = noteOnSkipped(width)
        for step in steps where !step.event.kind.concernsRun {
            let before = states
            let lane = apply(step.event, isInside: step.role == .inside)
            guard Self.isRow(step.event, step.role) else { continue }
            let place = places[step.event.site]
            widestPlace = max(widestPlace, place.width)
            lines.append(line(step, lane, before, words, place, layout(words.cast, options), width))
        }
        return lines
    }

    private func layout(_ cast: Cast, _ options: ReportOptions) -> LaneLayout {
        let lanes = (slots.count + Self.laneStep - 1) / Self.laneStep * Self.laneStep
        let name = cast.threads.reduce(0) { max($0, $1.width) }
        return LaneLayout(
            numberWidth: Self.timeWidth, threads: lanes,
            widest: (name: min(name, Self.widestName), text: Self.textWidth, place: widestPlace), options)
    }

    private mutating func noteOnSkipped(_ width: Int) -> [String] {
        guard skipped > 0 else { return [] }
        defer { skipped = 0 }
        var line = LiveLine(options, width: width)
        line.put(marks.gap, before: Self.timeWidth, .dim)
        line.put(Label("\(skipped.grouped) \(skipped == 1 ? "step" : "steps")"), at: Self.timeWidth + 2, .dim)
        return [line.text]
    }

    /// - Parameters:
    ///   - ownLane: the lane of the step's thread.
    ///   - before: the states of the lanes before the step.
    private func line(
        _ step: Step, _ ownLane: Int, _ before: LaneStates, _ words: StepWords, _ place: Label, _ layout: LaneLayout,
        _ width: Int
    ) -> String {
        let event = step.event
        let thread = Color.thread(Int(event.thread.index))
        let color = event.kind.effect.isFailure ? Color.bad : thread
        var line = LiveLine(options, width: width)
        line.put(Label(event.time.seconds(digits: 3)), before: layout.numberEnd, .dim)
        for lane in 0..<layout.laneCount {
            let column = layout.column(ofLane: lane)
            if lane == min(ownLane, layout.laneCount - 1) {
                line.put(marks.mark(StepMark(event.kind)), at: column, color, gap: 0)
            } else if !layout.isShared(lane), lane < before.all.count, before[lane] != .absent {
                line.put(before[lane] == .blocked ? marks.blocked : marks.idle, at: column, .dim, gap: 0)
            }
        }
        let name = words.cast.thread(event.thread).clippedInMiddle(to: layout.nameWidth, ascii: options.ascii)
        line.put(name, at: layout.name, thread)
        let text = words.label(event, at: nil, limit: step.limit)
        line.put(
            layout.textWidth.map { text.clipped(to: $0, ascii: options.ascii) } ?? text, at: layout.text,
            event.kind.effect.isFailure ? .bad : .plain)
        if let column = layout.place { line.put(place, at: column, .dim) }
        return line.text
    }
}

/// The lanes of living threads. A lane becomes free when its thread ends, so that a run that keeps making threads only
/// needs as many lanes as threads live at once.
struct LaneSlots {
    private var lanes: [Int?] = [0]
    private var isUsed = [true]

    /// The maximum number of lanes in use at once.
    var count: Int { isUsed.count }

    /// The lane of the event's thread. A thread that the event creates gets a lane, too.
    mutating func lane(of event: Event) -> Int {
        let own = lane(of: event.thread)
        if event.kind.effect.createsThread, let created = event.valueAsThread { _ = lane(of: created) }
        return own
    }

    private mutating func lane(of thread: ThreadID) -> Int {
        let index = Int(thread.index)
        while lanes.count <= index { lanes.append(nil) }
        if let lane = lanes[index] { return lane }
        let lane = isUsed.firstIndex(of: false) ?? isUsed.count
        if lane == isUsed.count { isUsed.append(true) } else { isUsed[lane] = true }
        lanes[index] = lane
        return lane
    }

    /// Frees the lane of a thread that ends with the event.
    mutating func release(_ event: Event) {
        let effect = event.kind.effect
        guard effect.endsThread || effect == .cutOffThread else { return }
        let index = Int(event.thread.index)
        guard index < lanes.count, let lane = lanes[index] else { return }
        lanes[index] = nil
        isUsed[lane] = false
    }
}
