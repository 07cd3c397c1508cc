import Execution
import Synchronization
import Trace

/// The items of a queue, and of the queues that target it, that have not begun, in the order in which they were queued;
/// and how many workers serve it.
final class QueueLine: RunBound {
    /// The queue that was made with it. The others target it.
    private let level: QueueLevel
    /// What threads read without the pool's lock.
    private let signs: Atomic<Int>
    /// Threads in `sync` wait here for the items before theirs to begin.
    private let turn: Part
    private let state = Guarded(State())

    /// The number of items that a worker has taken along.
    private let taken = Synchronization.Atomic(0)

    private enum Sign {
        /// Items wait here.
        static let occupied = 1
        /// The line's own queue takes turns and is suspended.
        static let suspended = 2
    }

    private struct State {
        var items = Fifo<WorkItem>()
        /// The items that are turns of threads, or of a queue that targets this one.
        var exceptions = 0
        var signs = 0
        var tickets = 0
        /// The workers that serve it or are about to.
        var crew = 0
        /// The items that the crew is running.
        var running = 0
        /// The threads that wait for their turn.
        var waiting = 0
        var searches = 0
    }

    init(of level: QueueLevel, at site: SourceSite) {
        self.level = level
        signs = Atomic(partOf: level.name, 0, at: site)
        turn = Part(.condition, "its turn in \(level.name)", at: site)
        QueuesOfRun.current.add(self)
    }

    func runHasEnded() { state.value.items = Fifo() }

    /// Whether an item waits here. One that was queued before by the calling thread, or by a thread that it has heard
    /// of, is not missed.
    func isOccupied(at site: SourceSite) throws -> Bool { try signs.load(at: site) & Sign.occupied != 0 }

    /// Takes a queue that takes turns, if no item waits here.
    ///
    /// - Returns: the calling thread. Nil: an item waits.
    @inline(__always) func takeIfFree(_ hold: QueueHold, at site: SourceSite) throws -> ThreadID? {
        try signs.lock(hold.handle, ifClear: Sign.occupied, at: site)
    }

    /// Whether a worker has to put back what it has taken along.
    func isSuspended(at site: SourceSite) throws -> Bool { try signs.load(at: site) & Sign.suspended != 0 }

    // MARK: - With the pool's lock held

    /// The number of items that have not begun.
    var count: Int { state.value.items.count + taken.load(ordering: .relaxed) }

    /// Whether one of them is of this queue.
    func hasItems(of level: QueueLevel) -> Bool {
        level === self.level ? count > 0 : state.value.items.firstIndex { $0.level === level } != nil
    }

    /// - Returns: its number.
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

    private func show(_ sign: Int, _ isSet: Bool, at site: SourceSite) throws {
        let new = isSet ? state.value.signs | sign : state.value.signs & ~sign
        if new == state.value.signs { return }
        state.value.signs = new
        try signs.store(new, at: site)
    }

    /// The queue has been suspended or resumed.
    func noteSuspension(of level: QueueLevel, at site: SourceSite) throws {
        // It may have been the item before theirs that threads wait for.
        if level !== self.level && state.value.waiting > 0 { try turn.broadcast(at: site) }
        guard level === self.level && level.takesTurns else { return }
        try show(Sign.suspended, level.state.value.suspensions > 0, at: site)
    }

    /// Whether another worker would have something to do.
    var needsWorker: Bool {
        state.value.crew < level.width && state.value.crew < state.value.items.count + state.value.running
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
        let item = items[index]
        return !(0..<index).contains { items[$0].excludes(item) && !isHeldBack(items[$0], below: item.level) }
    }

    /// Whether the item waits for a `resume` of a queue that is not the level, and not above it: such a queue does not
    /// keep its target waiting.
    private func isHeldBack(_ item: WorkItem, below level: QueueLevel) -> Bool {
        item.level.contains { own in own.state.value.suspensions > 0 && !level.contains { $0 === own } }
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

    /// Moves items that the worker may run after this one without coming back: all but the last, if nothing but blocks
    /// of one serial queue waits here. The last one stays, so that the line stays occupied: `sync` passes none of them.
    func takeAlong(after item: WorkItem, _ batch: inout Fifo<WorkItem>) {
        guard level.takesTurns && item.level === level && state.value.exceptions == 0 && count > 1 else { return }
        swap(&state.value.items, &batch)
        if let last = batch.popLast() { state.value.items.append(last) }
        noteTaken(batch.count)
    }

    /// Puts items back that it has not run.
    func putBack(_ batch: inout Fifo<WorkItem>) {
        if batch.isEmpty { return }
        while let item = state.value.items.popFirst() { batch.append(item) }
        swap(&state.value.items, &batch)
        noteTaken(0)
    }

    func noteTaken(_ count: Int) { taken.store(count, ordering: .relaxed) }

    /// The worker has run the item.
    func end(_ item: WorkItem) {
        item.level.end(barrier: item.isBarrier)
        state.value.running -= 1
    }

    /// The thread whose turn it is begins, or no thread can run the block.
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

/// Elements in order, the first of which is removed in constant time, amortized.
struct Fifo<Element> {
    private var elements: ContiguousArray<Element?> = []
    private var head = 0

    var isEmpty: Bool { head == elements.count }
    var count: Int { elements.count - head }

    /// The element at this distance from the first.
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
        // Moved, so that no reference is counted.
        let first = elements[head].take()!
        head += 1
        if isEmpty {
            elements.removeAll(keepingCapacity: true)
            head = 0
        } else if head > 32 && head > elements.count / 2 {
            elements.removeFirst(head)
            head = 0
        }
        return first
    }

    func firstIndex(where fits: (Element) -> Bool) -> Int? {
        elements[head...].firstIndex { fits($0!) }.map { $0 - head }
    }
}
