import Trace

/// Data races: two accesses of one plain cell, at least one of them a write, that nothing puts in an order.
///
/// It compares vector clocks (after FastTrack: Flanagan and Freund, 2009), so it reports no race that the run's events
/// don't show, and finds one even where the two accesses happened to come out right. It tells each cell's first race.
package struct RaceDetector: Detector {
    private var order = HappensBefore()
    private var locks = HeldLocks()
    private var cells: [ObjectID: CellHistory] = [:]
    private var racyCells: [ObjectID] = []
    private var count = 0
    private var isOver = false

    package init() {}

    package mutating func consume(_ event: Event) {
        count += 1
        if event.kind.endsRun { isOver = true }
        guard !isOver else { return }
        switch event.kind {
        case .cellRead, .cellWrite: access(event)
        default:
            order.consume(event)
            locks.consume(event)
        }
    }

    private mutating func access(_ event: Event) {
        let clock = order.clock(of: event.thread)
        let access = CellAccess(
            event: event, number: count, clock: clock[event.thread], locks: locks.locks(of: event.thread))
        let wasRacy = cells[event.object]?.race != nil
        cells[event.object, default: CellHistory()].add(access, clock)
        if !wasRacy && cells[event.object]?.race != nil { racyCells.append(event.object) }
    }

    package func findings(in words: Words) -> [Finding] {
        racyCells.compactMap { cell in
            guard let history = cells[cell], let race = history.race else { return nil }
            return RaceStory(
                words: words, cell: cell, earlier: race.earlier, later: race.later, lockUse: history.lockUse
            ).finding
        }
    }
}
