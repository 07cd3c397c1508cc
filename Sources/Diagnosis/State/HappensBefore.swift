import Trace

/// What each thread has seen of others through synchronization. A thread that takes a lock has seen everything that was
/// done before the lock's release. The same holds for semaphores, for the creation and the end of threads, and for
/// atomics as far as their memory orders say.
///
/// A signal by itself orders nothing. The mutex that the woken thread reacquires does.
struct HappensBefore {
    /// All clocks. The tables below contain indices into this array, so that clocks are changed in place. A parameter
    /// or result of type `Int?` is such an index too; nil stands for a clock that has seen nothing.
    private var clocks: [VectorClock] = []
    /// Each thread's current clock. Nil if no event has needed it yet.
    private var threads = PerThread<Int?>(nil)
    /// Each thread's clock at its end, which the thread that joins it acquires.
    private var ended = PerThread<Int?>(nil)
    /// What the next thread that takes the lock or a permit, or acquires from the atomic, will have seen. For a
    /// read-write lock, what the next reader will have seen.
    private var objects = PerObject<Int?>(nil)
    /// What the next writer will have seen in addition: the clocks of the readers that have released the lock.
    private var readers = PerObject<Int?>(nil)
    /// What the thread's next acquire fence will see: what was released with the values that the thread has read
    /// without acquiring.
    private var pending = PerThread<Int?>(nil)
    /// What the thread had seen at its last release fence. Its later writes that do not release pass this on.
    private var released = PerThread<Int?>(nil)
    /// Under a weaker memory model: for each write of an atomic, the clock that a thread which reads it acquires. Nil
    /// under sequential consistency, where each read sees the newest write.
    private var messages: ModificationOrders<Int?>?
    /// Whether a thread's time advances only by `tick`. Otherwise it advances each time the thread passes its clock on.
    private let ticksByHand: Bool

    init(ticksByHand: Bool = false) { self.ticksByHand = ticksByHand }

    /// Advances the thread's time, for events that are counted (`ticksByHand`).
    mutating func tick(_ thread: ThreadID) {
        let own = place(of: thread)
        clocks[own].advance(thread)
    }

    /// The thread's own time. A clock that has reached it has seen what the thread does now.
    func time(of thread: ThreadID) -> UInt32 {
        threads[thread].map { clocks[$0][thread] } ?? (ticksByHand ? 0 : 1)
    }

    /// Whether a thread has seen the action of another thread at that thread's time `time`.
    @inline(__always)
    func has(_ thread: ThreadID, seen other: ThreadID, at time: UInt32) -> Bool {
        threads[thread].map { time <= clocks[$0][other] } ?? false
    }

    /// The clock of a thread that acts now. It is created if necessary.
    mutating func clock(of thread: ThreadID) -> VectorClock {
        let own = place(of: thread)
        return clocks[own]
    }

    /// What the thread has seen: nothing, if it has no clock yet.
    func seen(by thread: ThreadID) -> VectorClock { threads[thread].map { clocks[$0] } ?? VectorClock() }

    mutating func consume(_ event: Event) {
        let thread = event.thread
        switch event.kind.effect {
        // A thread that has acted needs a clock of its own, so that its time is not 0.
        case .read(.cell), .write(.cell), .free: if threads[thread] == nil { _ = place(of: thread) }
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

    /// A store ends the object's release sequence, even if the thread that began the sequence makes it (C++20).
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

    /// A read-modify-write continues the release sequence: a thread that reads its value also acquires what earlier
    /// writes of the sequence released.
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

    /// Reads a write.
    ///
    /// - Parameter message: the clock that the write passes on to its readers. Nil for the initial value.
    private mutating func load(_ event: Event, _ message: Int?) {
        if event.order.acquires { return acquire(message, event.thread) }
        pending[event.thread] = merged(message, into: pending[event.thread])
    }

    /// The clock that a new write passes on to its readers.
    ///
    /// - Parameter source: for an update, the clock of the write that it reads. Nil for a store.
    private mutating func release(_ source: Int?, _ event: Event) -> Int? {
        let passedOn = merged(source, into: nil)
        if event.order.releases { return give(event.thread, to: passedOn) }
        return merged(released[event.thread], into: passedOn)
    }

    // MARK: - Under every memory model

    /// An acquire fence acquires what relaxed loads have read. A release fence lets later relaxed writes release what
    /// the thread has seen.
    private mutating func fence(_ order: MemoryOrder, _ thread: ThreadID) {
        if order.acquires { acquire(pending[thread], thread) }
        guard order.releases else { return }
        released[thread] = copy(of: thread, in: released[thread])
        advance(thread)
    }

    /// Merges the first clock into the second, which is created if necessary. Returns the second.
    private mutating func merged(_ clock: Int?, into other: Int?) -> Int? {
        guard let clock else { return other }
        let other = other ?? newClock()
        clocks[other].merge(clocks[clock])
        return other
    }

    // MARK: - Locks

    /// Passes clocks on with a lock that is released, taken, or kept in another mode.
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

    /// Replaces the clock of the object by that of this thread. What earlier threads had published is included only if
    /// this thread acquired the object itself.
    private mutating func publish(_ object: ObjectID, _ thread: ThreadID) {
        objects[object] = copy(of: thread, in: objects[object])
        advance(thread)
    }

    /// Adds the thread's clock to the other one. A thread that acquires it later has seen what all added threads had.
    private mutating func give(_ thread: ThreadID, to clock: Int?) -> Int {
        let (own, clock) = (place(of: thread), clock ?? newClock())
        clocks[clock].merge(clocks[own])
        advance(thread)
        return clock
    }

    /// Copies the thread's clock into the other one, which is created if necessary. Returns its index.
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

    /// The index of the thread's clock, which is created if necessary. The thread's own time then begins at 1, because
    /// 0 means that a clock has seen nothing of the thread. With `ticksByHand`, the first `tick` makes it 1.
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
