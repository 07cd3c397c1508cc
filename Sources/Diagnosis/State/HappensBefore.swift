import Trace

/// What each thread has seen of the others through synchronization: a thread that takes a lock has seen everything that
/// was done before its release; likewise for semaphores, for atomics as far as their memory orders say, and for the
/// creation and the end of threads.
///
/// A signal by itself orders nothing; the mutex that the woken thread takes again does.
struct HappensBefore {
    /// All clocks in one array, so that they can be changed in place.
    private var clocks: [VectorClock] = []
    // The indices of their clocks in `clocks`. Nil: nothing has been seen.
    private var threads = PerThread<Int?>(nil)
    private var ended = PerThread<Int?>(nil)
    /// What the next thread that takes the object will have seen; for a read-write lock, the next reader.
    private var objects = PerObject<Int?>(nil)
    /// What the next writer will also have seen: the readers before it.
    private var readers = PerObject<Int?>(nil)
    /// What the thread's next acquire fence will see: what was released with the values that its loads have read without
    /// acquiring it.
    private var pending = PerThread<Int?>(nil)
    /// What the thread had seen at its last release fence, which its writes pass on even if they release nothing.
    private var released = PerThread<Int?>(nil)
    /// Under a weaker memory model: for each write of an atomic, what a thread that reads it acquires. Nil: each read sees
    /// the newest.
    private var messages: ModificationOrders<Int?>?
    /// Whether a thread's time advances by `tick` alone, not with everything that it passes on.
    private let ticksByHand: Bool

    init(ticksByHand: Bool = false) { self.ticksByHand = ticksByHand }

    mutating func tick(_ thread: ThreadID) {
        let own = place(of: thread)
        clocks[own].advance(thread)
    }

    /// The thread's own time, which tells which clocks have seen its current actions.
    func time(of thread: ThreadID) -> UInt32 {
        threads[thread].map { clocks[$0][thread] } ?? (ticksByHand ? 0 : 1)
    }

    /// Whether the current action of a thread has seen what another thread did at that thread's time.
    @inline(__always)
    func has(_ thread: ThreadID, seen other: ThreadID, at time: UInt32) -> Bool {
        threads[thread].map { time <= clocks[$0][other] } ?? false
    }

    /// The clock of a thread that is doing something now.
    mutating func clock(of thread: ThreadID) -> VectorClock {
        let clock = place(of: thread)
        return clocks[clock]
    }

    /// What the thread has seen.
    func seen(by thread: ThreadID) -> VectorClock { threads[thread].map { clocks[$0] } ?? VectorClock() }

    mutating func consume(_ event: Event) {
        let thread = event.thread
        switch event.kind.effect {
        // A thread that does something has a clock.
        case .read(.cell), .write(.cell): if threads[thread] == nil { _ = place(of: thread) }
        case .createThread:
            guard let created = event.valueAsThread else { return }
            acquire(place(of: thread), created)
            advance(thread)
        case .endThread: ended[thread] = copy(of: thread, in: ended[thread])
        case .joinThread:
            guard let joined = event.valueAsThread else { return }
            acquire(ended[joined], thread)

        case .take, .release, .park, .unpark: if let change = event.lockChange { follow(change, thread) }
        case .takePermit: acquire(objects[event.object], thread)
        case .read(.atomic), .mismatch: load(event)
        case .write(.atomic): store(event)
        case .givePermit: objects[event.object] = give(thread, to: objects[event.object])
        case .update: update(event)
        case .fence: if let order = event.valueAsOrder { fence(order, thread) }
        case .weaken: messages = ModificationOrders(initial: nil)
        case .reorder: messages?.note(event)
        case .none, .startThread, .detachThread, .cutOffThread, .yield, .sleep, .awake, .setPriority, .limitWait,
            .attempt, .wait, .refuse, .signal, .append, .choose, .fail, .misuse,
            .cleanUp, .endRun:
            break
        }
    }

    // MARK: - Memory orders

    private mutating func load(_ event: Event) {
        if messages != nil {
            let newer = messages!.takeNewer(event)
            return load(event, messages!.source(event.object, newer: newer))
        }
        if event.order.acquires { return acquire(objects[event.object], event.thread) }
        pending[event.thread] = merged(objects[event.object], into: pending[event.thread])
    }

    /// It ends the release sequence that the object had, even one of the same thread (C++20).
    private mutating func store(_ event: Event) {
        if messages != nil {
            let newer = messages!.takeNewer(event)
            return messages!.insert(release(nil, event), event.object, newer: newer)
        }
        if event.order.releases { return publish(event.object, event.thread) }
        guard let place = objects[event.object] else {
            objects[event.object] = merged(released[event.thread], into: nil)
            return
        }
        clocks[place].clear()
        _ = merged(released[event.thread], into: place)
    }

    /// It continues the release sequence: a read of its value also acquires what was released before.
    private mutating func update(_ event: Event) {
        if messages != nil {
            let newer = messages!.takeNewer(event)
            let source = messages!.source(event.object, newer: newer)
            load(event, source)
            return messages!.insert(release(source, event), event.object, newer: newer)
        }
        load(event)
        objects[event.object] =
            event.order.releases
            ? give(event.thread, to: objects[event.object])
            : merged(released[event.thread], into: objects[event.object])
    }

    // MARK: - Under a weaker memory model

    /// - Parameter message: what the message that is read passes on.
    private mutating func load(_ event: Event, _ message: Int?) {
        if event.order.acquires { return acquire(message, event.thread) }
        pending[event.thread] = merged(message, into: pending[event.thread])
    }

    /// What a new message passes on.
    ///
    /// - Parameter source: what it updates. Nil: nothing that passes anything on.
    private mutating func release(_ source: Int?, _ event: Event) -> Int? {
        let passedOn = merged(source, into: nil)
        if event.order.releases { return give(event.thread, to: passedOn) }
        return merged(released[event.thread], into: passedOn)
    }

    private mutating func fence(_ order: MemoryOrder, _ thread: ThreadID) {
        if order.acquires { acquire(pending[thread], thread) }
        guard order.releases else { return }
        released[thread] = copy(of: thread, in: released[thread])
        advance(thread)
    }

    /// The second clock, which has then also seen what the first has.
    private mutating func merged(_ clock: Int?, into other: Int?) -> Int? {
        guard let clock else { return other }
        let other = other ?? newClock()
        clocks[other].merge(clocks[clock])
        return other
    }

    // MARK: - Locks

    private mutating func follow(_ change: LockChange, _ thread: ThreadID) {
        switch change.from {
        case .mutex, .writing: publish(change.lock, thread)
        case .reading: readers[change.lock] = give(thread, to: readers[change.lock])
        case nil: break
        }
        guard let to = change.to else { return }
        acquire(objects[change.lock], thread)
        if to == .writing { acquire(readers[change.lock], thread) }
    }

    /// The thread sees what the clock has seen.
    private mutating func acquire(_ clock: Int?, _ thread: ThreadID) {
        guard let clock else { return }
        let own = place(of: thread)
        clocks[own].merge(clocks[clock])
    }

    /// The next thread sees this thread's past, which includes that of the previous ones if it took the object itself.
    private mutating func publish(_ object: ObjectID, _ thread: ThreadID) {
        objects[object] = copy(of: thread, in: objects[object])
        advance(thread)
    }

    /// The next thread sees the pasts of all threads that gave.
    private mutating func give(_ thread: ThreadID, to clock: Int?) -> Int {
        let (own, clock) = (place(of: thread), clock ?? newClock())
        clocks[clock].merge(clocks[own])
        advance(thread)
        return clock
    }

    private mutating func copy(of thread: ThreadID, in clock: Int?) -> Int {
        let (own, clock) = (place(of: thread), clock ?? newClock())
        clocks[clock].follow(clocks[own])
        return clock
    }

    private mutating func advance(_ thread: ThreadID) {
        if ticksByHand { return }
        let own = place(of: thread)
        clocks[own].advance(thread)
    }

    /// A thread's own time begins at 1 unless it ticks by hand; a clock that has seen nothing of it is at 0.
    private mutating func place(of thread: ThreadID) -> Int {
        if let place = threads[thread] { return place }
        let place = newClock()
        threads[thread] = place
        if !ticksByHand { clocks[place].advance(thread) }
        return place
    }

    private mutating func newClock() -> Int {
        clocks.append(VectorClock())
        return clocks.count - 1
    }
}
