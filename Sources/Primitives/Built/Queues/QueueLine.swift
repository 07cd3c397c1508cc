import Execution
import Trace

/// The items of a queue, and of the queues that target it, that have not begun, in the order in which they were queued;
/// and how many workers serve it.
final class QueueLine: RunBound {
    /// The number of workers that may serve it at once.
    let width: Int
    /// Whether items wait here: a thread that calls `sync` reads it without the pool's lock. 0: none.
    private let occupation: Atomic<Int>
    /// Threads in `sync` wait here for the items before theirs to begin.
    private let turn: Part
    private let state = Guarded(State())

    private struct State {
        var items = Fifo<WorkItem>()
        var tickets = 0
        /// The workers that serve it or are about to.
        var crew = 0
        /// The items that the crew is running.
        var running = 0
        /// The threads that wait for their turn.
        var waiting = 0
        var searches = 0
    }

    init(_ name: String, width: Int, at site: SourceSite) {
        self.width = width
        occupation = Atomic(partOf: name, 0, at: site)
        turn = Part(.condition, "its turn in \(name)", at: site)
        QueuesOfRun.current.add(self)
    }

    func runHasEnded() { state.value.items = Fifo() }

    /// Whether an item waits here. One that was queued before by the calling thread, or by a thread that it has heard
    /// of, is not missed.
    func isOccupied(at site: SourceSite) throws -> Bool { try occupation.load(at: site) != 0 }

    // MARK: - With the pool's lock held

    var count: Int { state.value.items.count }

    /// - Returns: its number.
    @discardableResult
    func append(
        _ level: QueueLevel, barrier: Bool, at site: SourceSite, _ body: (@Sendable () throws -> Void)?
    ) throws -> Int {
        if state.value.items.isEmpty { try occupation.store(1, at: site) }
        state.value.tickets += 1
        let ticket = state.value.tickets
        state.value.items.append(WorkItem(level: level, isBarrier: barrier, ticket: ticket, site: site, body: body))
        return ticket
    }

    /// Whether another worker would have something to do.
    var needsWorker: Bool {
        state.value.crew < width && state.value.crew < state.value.items.count + state.value.running
    }

    func join() { state.value.crew += 1 }
    func leave() { state.value.crew -= 1 }

    /// Waits until no item before this one excludes it.
    func awaitTurn(_ ticket: Int, with gate: Part, at site: SourceSite) throws {
        while !isFirst(ticket) {
            state.value.waiting += 1
            defer { state.value.waiting -= 1 }
            _ = try turn.wait(with: gate, at: site)
        }
    }

    private func isFirst(_ ticket: Int) -> Bool {
        let items = state.value.items
        guard let index = items.firstIndex(where: { $0.ticket == ticket }) else { return true }
        return !(0..<index).contains { items[$0].excludes(items[index]) }
    }

    /// What a worker finds to do.
    enum Finding {
        /// The item has left the line, and the worker holds its queues.
        case item(WorkItem)
        /// It could begin but for a thread that runs a block of its own in `sync`.
        case held(WorkItem)
        case nothing
    }

    /// Removes the first item that can begin, and takes its queues.
    ///
    /// - Parameter held: an item whose queues the worker holds already.
    func next(holding held: WorkItem?) throws -> Finding {
        state.value.searches += 1
        let search = state.value.searches
        var busy: WorkItem?
        var index = 0
        while index < state.value.items.count {
            let item = state.value.items[index]
            let isPassed = item.level.contains { $0.state.value.passedBy == search }
            if !isPassed && item.body != nil && item.level.admits(barrier: item.isBarrier) {
                if try item.ticket == held?.ticket || item.level.tryTake(barrier: item.isBarrier, at: item.site) {
                    item.level.begin(barrier: item.isBarrier)
                    state.value.running += 1
                    try removeItem(at: index, item.site)
                    return .item(item)
                }
                busy = busy ?? item
            }
            item.level.state.value.passedBy = search
            // Everything else targets the same queue, and comes after the item.
            if item.level.target == nil { break }
            index += 1
        }
        return busy.map(Finding.held) ?? .nothing
    }

    /// The worker has run the item.
    func end(_ item: WorkItem) {
        item.level.end(barrier: item.isBarrier)
        state.value.running -= 1
    }

    /// The thread whose turn it is begins.
    func begin(_ ticket: Int, at site: SourceSite) throws {
        guard let index = state.value.items.firstIndex(where: { $0.ticket == ticket }) else { return }
        try removeItem(at: index, site)
    }

    private func removeItem(at index: Int, _ site: SourceSite) throws {
        state.value.items.remove(at: index)
        if state.value.items.isEmpty { try occupation.store(0, at: site) }
        if state.value.waiting > 0 { try turn.broadcast(at: site) }
    }
}
