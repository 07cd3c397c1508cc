import Execution
import Synchronization
import Trace

/// The items that wait to begin in a queue and in the queues that target it, in the order in which they were queued. An
/// item is a block, or the place of a thread that waits in `sync` to run a block itself. The line also counts the
/// threads of the pool, its workers, that serve it.
///
/// The pool's lock protects the line, except for `signs` and `taken`, which are atomic.
final class QueueLine: RunBound {
    /// The queue for which the line was made. The other queues target it.
    private let level: QueueLevel
    /// The bits of `Sign` that are set. Threads read them without the pool's lock.
    private let signs: Atomic<Int>
    /// Threads in `sync` wait here until earlier items have begun.
    private let turn: Part
    private let state = Guarded(State())

    /// The number of items that a worker has taken into its batch and not yet begun (`takeAlong`).
    private let taken = Synchronization.Atomic(0)

    private enum Sign {
        /// At least one item waits in the line.
        static let occupied = 1
        /// The line's own queue is serial, has no target, and is suspended.
        static let suspended = 2
    }

    private struct State {
        var items = Fifo<WorkItem>()
        /// The number of items that must not go into a batch: places of threads in `sync`, and items of queues that
        /// target this one.
        var exceptions = 0
        /// The bits of `Sign` as last stored.
        var signs = 0
        /// The number of items so far. Each gets the next number as its ticket.
        var tickets = 0
        /// The number of workers that serve the line or are about to.
        var crew = 0
        /// The number of items that these workers are running.
        var running = 0
        /// The number of threads that wait for their turn.
        var waiting = 0
        /// The number of searches for an item so far: see `QueueLevel.State.passedBy`.
        var searches = 0
    }

    init(of level: QueueLevel, at site: SourceSite) {
        self.level = level
        signs = Atomic(partOf: level.name, 0, at: site)
        turn = Part(.condition, "its turn in \(level.name)", at: site)
        QueuesOfRun.current.add(self)
    }

    func runHasEnded() { state.value.items = Fifo() }

    /// Whether an item waits in the line. It cannot miss an item that the calling thread queued earlier, or one that
    /// was queued by a thread that synchronized with it since.
    func isOccupied(at site: SourceSite) throws -> Bool { try signs.load(at: site) & Sign.occupied != 0 }

    /// Acquires a serial queue without a target, if no item waits in the line.
    ///
    /// - Returns: the calling thread. Nil: an item waits.
    @inline(__always) func takeIfFree(_ hold: QueueHold, at site: SourceSite) throws -> ThreadID? {
        try signs.lock(hold.handle, ifClear: Sign.occupied, at: site)
    }

    /// Whether the queue is suspended, so that a worker must put back its batch.
    func isSuspended(at site: SourceSite) throws -> Bool { try signs.load(at: site) & Sign.suspended != 0 }

    // MARK: - With the pool's lock held

    /// The number of items that have not begun.
    var count: Int { state.value.items.count + taken.load(ordering: .relaxed) }

    /// Whether items of this queue wait. Those of a batch belong to the line's own queue.
    func hasItems(of level: QueueLevel) -> Bool {
        level === self.level ? count > 0 : state.value.items.firstIndex { $0.level === level } != nil
    }

    /// Adds an item at the end.
    ///
    /// - Parameter body: the block. Nil: the item is the place of a thread in `sync`.
    /// - Returns: its ticket.
    @discardableResult
    func append(
        _ level: QueueLevel, barrier: Bool, at site: SourceSite, _ body: (@Sendable () throws -> Void)?
    ) throws -> Int {
        if state.value.items.isEmpty { try show(Sign.occupied, true, at: site) }
        state.value.tickets += 1
        let ticket = state.value.tickets
        if isException(level, body) { state.value.exceptions += 1 }
        state.value.items.append(
            WorkItem(
                of: level, keepsLevel: level !== self.level, isBarrier: barrier, ticket: ticket, site: site, body: body)
        )
        return ticket
    }

    private func isException(_ level: QueueLevel, _ body: (@Sendable () throws -> Void)?) -> Bool {
        level !== self.level || body == nil
    }

    /// Sets or clears a sign.
    private func show(_ sign: Int, _ isSet: Bool, at site: SourceSite) throws {
        let new = isSet ? state.value.signs | sign : state.value.signs & ~sign
        if new == state.value.signs { return }
        state.value.signs = new
        try signs.store(new, at: site)
    }

    /// Updates the line after the queue has been suspended or resumed.
    func noteSuspension(of level: QueueLevel, at site: SourceSite) throws {
        // A suspended item no longer blocks threads that wait in `sync` of the target: see `isHeldBack`.
        if level !== self.level && state.value.waiting > 0 { try turn.broadcast(at: site) }
        guard level === self.level && level.isHeldByOneMutex else { return }
        try show(Sign.suspended, level.state.value.suspensions > 0, at: site)
    }

    /// Whether another worker would find work.
    var needsWorker: Bool {
        state.value.crew < level.width && state.value.crew < state.value.items.count + state.value.running
    }

    /// Counts a worker that begins to serve the line.
    func join() { state.value.crew += 1 }
    /// Counts a worker that no longer serves the line.
    func leave() { state.value.crew -= 1 }

    /// Waits until no item before this one excludes it. The caller holds the pool's lock, `gate`.
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
        let item = items[index]
        return !(0..<index).contains { items[$0].excludes(item) && !isHeldBack(items[$0], below: item.level) }
    }

    /// Whether the item waits for a `resume` of a queue at or above its own that is not also at or above this level.
    /// Such a suspension must not block the items of this level.
    private func isHeldBack(_ item: WorkItem, below level: QueueLevel) -> Bool {
        item.level.contains { own in own.state.value.suspensions > 0 && !level.contains { $0 === own } }
    }

    /// The result of a worker's search.
    enum Finding {
        /// The item has left the line, and the worker holds its queues.
        case item(WorkItem)
        /// The item could begin, except that a thread holds its queue for a block in `sync`.
        case held(WorkItem)
        case nothing
    }

    /// Removes the first item that can begin, and acquires its queues for the worker.
    ///
    /// - Parameter held: an item whose queues the worker has already acquired. Nil: none.
    func next(holding held: WorkItem?) throws -> Finding {
        state.value.searches += 1
        let search = state.value.searches
        var busy: WorkItem?
        var index = 0
        while index < state.value.items.count {
            let item = state.value.items[index]
            let isPassed = item.level.contains { $0.state.value.passedBy == search }
            // A thread in `sync` begins its item itself.
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
            // If this queue has no target, it is the one for which the line was made: all later items need it too.
            if item.level.target == nil { break }
            index += 1
        }
        return busy.map(Finding.held) ?? .nothing
    }

    /// Moves items to a batch that the worker runs after this item without searching again. Only a serial queue without
    /// a target has batches, and only while all its waiting items are its own blocks. The last item stays in the line,
    /// so that the line remains occupied and no `sync` overtakes the batch.
    func takeAlong(after item: WorkItem, _ batch: inout Fifo<WorkItem>) {
        guard level.isHeldByOneMutex && item.level === level && state.value.exceptions == 0 && count > 1 else { return }
        swap(&state.value.items, &batch)
        if let last = batch.popLast() { state.value.items.append(last) }
        noteTaken(batch.count)
    }

    /// Puts back the items of a batch that were not run.
    func putBack(_ batch: inout Fifo<WorkItem>) {
        if batch.isEmpty { return }
        while let item = state.value.items.popFirst() { batch.append(item) }
        swap(&state.value.items, &batch)
        noteTaken(0)
    }

    /// Updates the number of items that are in a batch.
    func noteTaken(_ count: Int) { taken.store(count, ordering: .relaxed) }

    /// Notes that the worker has run the item.
    func end(_ item: WorkItem) {
        item.level.end(barrier: item.isBarrier)
        state.value.running -= 1
    }

    /// Removes an item: the turn of a thread that now begins, or a block for which no worker could be created.
    func remove(_ ticket: Int, at site: SourceSite) throws {
        guard let index = state.value.items.firstIndex(where: { $0.ticket == ticket }) else { return }
        try removeItem(at: index, site)
    }

    private func removeItem(at index: Int, _ site: SourceSite) throws {
        let item = state.value.items.remove(at: index)
        if isException(item.level, item.body) { state.value.exceptions -= 1 }
        if state.value.items.isEmpty { try show(Sign.occupied, false, at: site) }
        if state.value.waiting > 0 { try turn.broadcast(at: site) }
    }
}

/// A queue whose first element is removed in amortized constant time.
struct Fifo<Element> {
    /// The elements, after the places of removed ones.
    private var elements: ContiguousArray<Element?> = []
    /// The index of the first element.
    private var head = 0

    /// The places of removed elements are freed when they are more than this number and more than half of all places.
    private static var mostEmpty: Int { 32 }

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    /// The element at this distance from the first one.
    subscript(index: Int) -> Element { elements[head + index]! }

    mutating func append(_ element: Element) { elements.append(element) }

    /// Puts an element before the first.
    mutating func prepend(_ element: Element) {
        if head == 0 {
            elements.insert(element, at: 0)
        } else {
            head -= 1
            elements[head] = element
        }
    }

    mutating func popLast() -> Element? {
        guard !isEmpty else { return nil }
        return elements.removeLast()
    }

    mutating func popFirst() -> Element? { isEmpty ? nil : remove(at: 0) }

    @discardableResult
    mutating func remove(at index: Int) -> Element {
        guard index == 0 else { return elements.remove(at: head + index)! }
        // Moved out, so that no reference is counted.
        let first = elements[head].take()!
        head += 1
        if isEmpty {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > Self.mostEmpty && head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    func firstIndex(where fits: (Element) -> Bool) -> Int? {
        elements[head...].firstIndex { fits($0!) }.map { $0 - head }
    }
}
