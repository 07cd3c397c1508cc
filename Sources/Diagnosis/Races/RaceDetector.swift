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
    private var isOver = false

    package init() {}

    package mutating func consume(_ event: Event) {
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
            thread: event.thread, time: clock[event.thread], isWrite: event.kind == .cellWrite, site: event.site,
            locks: locks.locks(of: event.thread))
        let wasRacy = cells[event.object]?.race != nil
        cells[event.object, default: CellHistory()].add(access, clock)
        if !wasRacy && cells[event.object]?.race != nil { racyCells.append(event.object) }
    }

    package func findings(in words: Words) -> [Outcome] {
        racyCells.compactMap { cell in
            cells[cell]?.race.map { RaceStory(words: words, cell: cell, earlier: $0.earlier, later: $0.later).outcome }
        }
    }
}
