/// The state of the abstract machine on which controlled programs run: threads and objects as plain words in flat
/// memory, which can be copied and compared as such. `Rule` defines what an operation means.
///
/// A handle to the memory of an `OwnedMachineState`. Its methods change what it points to, never the handle, so that
/// the hot loop needs neither copies nor exclusivity checks. It is two words, which calls pass in registers.
package struct MachineState: @unchecked Sendable {
    struct Header: ~Copyable {
        var scalars = Scalars()
        /// The numbers of objects, which outlast executions.
        let numbers = ObjectNumbers()
        /// By number. Entry 0 stands for no object; it is never owned, so a gate that names it is open.
        var objects = OwnedBuffer<ObjectState>(capacity: 64)
        var holds = OwnedBuffer<ReadHold>(capacity: 16)
        var watches = OwnedBuffer<Watch>(capacity: 16)
        /// See `ProgramTraits`.
        var traits: ProgramTraits = []
        /// Whether assertions compare gates with the rule at this step: see `IndependenceCheck`.
        var isCompared = true
        /// See `MachineState.weakMemory`. Owned by the driver.
        var weakMemory: Unmanaged<WeakMemory>?
        /// See `MemoryPieces`. Owned by the subject. Nil: each step on memory accesses one whole object.
        var pieces: MemoryPieces?
    }

    /// The parts of the state that are not arrays, in one structure, so that a kept state cannot lack one.
    struct Scalars: Equatable, BitwiseCopyable {
        /// The virtual clock, in nanoseconds. It moves in `passTime` and, if limits may pass at any moment, in `reach`.
        var time = 0
        var threadCount = 0
        /// One more than the greatest number of an object.
        var objectCount = 1
        var holdCount = 0
        var watchCount = 0
        /// The ticket of the next thread that begins to wait on a condition (`ThreadState.ticket`).
        var nextTicket = 0
        /// The number of waits that may still end without a signal, and of weak compare-exchanges that may still fail
        /// spuriously: both together.
        var spuriousBudget = 0
        /// Whether a wait with a time limit may end at any moment.
        var mayTimeOut = false
        /// Whether a signal wakes the waiter that came first. Otherwise it can wake any waiter.
        var wakesFirst = false
        /// Whether the program can read the clock.
        var showsClock = false
        /// The number of threads that may exist at once.
        var threadLimit = MachineState.maximumThreads
        /// The number of plain cells.
        var cellCount = 0
    }

    /// A thread that watches an object for writes.
    struct Watch: Equatable {
        var object: UInt32
        var thread: Int32
    }

    /// A thread that holds a read-write lock as a reader.
    struct ReadHold: Equatable {
        var object: UInt32
        var thread: Int32
        /// How often it holds the lock.
        var count: Int32
    }

    /// The maximum number of threads of a run. Threads that have ended count too, because a thread's number is an
    /// index, also in traces, and is not reused.
    package static let maximumThreads = 1024
    /// The most objects that one run may have.
    package static let maximumObjects = 1 << 20

    let header: UnsafeMutablePointer<Header>
    let threads: UnsafeMutablePointer<ThreadState>

    init(header: UnsafeMutablePointer<Header>, threads: UnsafeMutablePointer<ThreadState>) {
        self.header = header
        self.threads = threads
        header.pointee.objects[0] = ObjectState(kind: .other)
    }

    /// Resets the machine: no thread and no object, at time zero.
    ///
    /// - Parameter showsClock: whether the program can read the clock.
    package func reset(_ rules: Rules = Rules(), showsClock: Bool = false) {
        header.pointee.scalars = Scalars()
        header.pointee.scalars.spuriousBudget = rules.spuriousWakeups
        header.pointee.scalars.mayTimeOut = rules.timeouts == .any
        header.pointee.scalars.wakesFirst = rules.waiters == .fifo
        header.pointee.scalars.showsClock = showsClock
        // Objects made before any thread exists belong to the main thread.
        threads[0] = ThreadState()
        header.pointee.numbers.begin()
    }

    package var threadCount: Int { header.pointee.scalars.threadCount }
    package var objectCount: Int { header.pointee.scalars.objectCount }

    package func thread(_ index: Int) -> ThreadState { threads[index] }
    @inline(always) package func operation(of thread: Int) -> Operation { threads[thread].operation }

    /// Whether the thread's body has returned.
    @inline(always) package func hasEnded(_ thread: Int) -> Bool { threads[thread].status == .ended }

    /// Whether the thread's first step is still to come.
    package func isNew(_ thread: Int) -> Bool { threads[thread].operation.kind == .start }

    /// Adds a thread.
    ///
    /// - Parameter status: `announced` for a thread that is about to take its first step; `running` for the main
    ///   thread.
    /// - Returns: its number. Nil: there have been `maximumThreads` threads.
    package func addThread(status: ThreadState.Status = .announced) -> Int? {
        let index = header.pointee.scalars.threadCount
        guard index < Self.maximumThreads else { return nil }
        header.pointee.scalars.threadCount = index + 1
        if index >= ExecutionGraph.mostThreads { header.pointee.traits.insert(.manyThreads) }
        // The main thread owns objects already: those made before any thread existed (`reset`).
        let objectsMade = index == 0 ? threads[0].objectsMade : 0
        threads[index] = ThreadState()
        threads[index].objectsMade = objectsMade
        threads[index].status = status
        threads[index].gate = status == .announced ? .open : .closed
        return index
    }

    /// The number of threads that may exist at once.
    package var threadLimit: Int {
        get { header.pointee.scalars.threadLimit }
        nonmutating set { header.pointee.scalars.threadLimit = newValue }
    }

    /// Whether as many threads exist as the limit allows.
    package var isFull: Bool { (0..<threadCount).count(where: exists) >= threadLimit }

    /// Whether the thread counts against the limit. It does until it has ended and was joined or detached.
    func exists(_ thread: Int) -> Bool {
        !threads[thread].isJoined && !(threads[thread].isDetached && threads[thread].status == .ended)
    }

    /// Adds an object, and returns its number. Nil: no number below `maximumObjects` is left.
    ///
    /// - Parameter maker: the thread that makes the object. The maker, and how many objects it made before, determine
    ///   the object's number.
    package func addObject(_ kind: ObjectState.Kind, value: Int = 0, by maker: Int = 0) -> UInt32? {
        let nth = threads[maker].objectsMade
        guard let number = addObject(kind, value: value, ObjectIdentity(maker: maker, nth: nth)) else { return nil }
        threads[maker].objectsMade = nth + 1
        return number
    }

    /// Adds an object with this identity, and returns its number. Nil: no number below `maximumObjects` is left.
    @inline(always)
    package func addObject(_ kind: ObjectState.Kind, value: Int = 0, _ identity: ObjectIdentity) -> UInt32? {
        let number = header.pointee.numbers.number(identity)
        guard number < Self.maximumObjects else { return nil }
        put(kind, value, at: number)
        return UInt32(number)
    }

    /// Adds an object that an earlier execution added too, under the number that the subject has kept.
    @inline(always)
    package func addAgain(_ number: UInt32, _ kind: ObjectState.Kind, value: Int) { put(kind, value, at: Int(number)) }

    @inline(always) private func put(_ kind: ObjectState.Kind, _ value: Int, at number: Int) {
        makeRoom(for: number)
        var words = ObjectState(kind: kind, value: value)
        if kind == .semaphore && value == 0 { words.owner = ObjectState.noPermit }
        if kind == .cell { header.pointee.scalars.cellCount += 1 }
        header.pointee.objects[number] = words
    }

    /// Makes room up to the number. Numbers before it belong to objects that other executions have made and this one
    /// has not made yet; they get objects of the kind `other`.
    private func makeRoom(for number: Int) {
        header.pointee.objects.reserve(number + 1, keeping: header.pointee.scalars.objectCount)
        while header.pointee.scalars.objectCount <= number {
            header.pointee.objects[header.pointee.scalars.objectCount] = ObjectState(kind: .other)
            header.pointee.scalars.objectCount += 1
        }
    }

    /// Makes the thread the owner of a new mutex, outside of steps.
    package func hold(_ mutex: UInt32, by thread: Int) {
        header.pointee.objects[Int(mutex)].owner = Int32(truncatingIfNeeded: thread + 1)
        header.pointee.objects[Int(mutex)].count = 1
        header.pointee.objects[Int(mutex)].value = 1
    }

    /// Sets the value of an object outside of steps: the machine does not own the memory for which the object stands,
    /// or a counter is reset.
    @inline(always) package func setWord(_ object: UInt32, _ value: Int) {
        header.pointee.objects[Int(object)].value = value
    }

    /// From now on, steps on memory access pieces of it (`MemoryPieces`), because the machine runs a compiled program.
    /// Kept states do not contain the pieces.
    ///
    /// - Parameter pieces: must live as long as the machine.
    package func use(_ pieces: MemoryPieces) { header.pointee.pieces = pieces }

    @inline(always) var pieces: MemoryPieces? { header.pointee.pieces }

    /// Marks an object whose value is examined in every state.
    package func observe(_ object: UInt32) { header.pointee.objects[Int(object)].isObserved = true }

    /// Empties the seat (`ObjectState.Kind.seat`) that the last step, a spawn, has filled. Called if the thread could
    /// not be created.
    package func emptySeat(_ seat: UInt32) { header.pointee.objects[Int(seat)].value = 0 }

    /// The object's identity, which is the same in every execution.
    package func identity(of object: UInt32) -> ObjectIdentity {
        header.pointee.numbers.identity(of: Int(object))
    }

    /// Whether there is plain memory. Without it there are no data races.
    package var hasCells: Bool { header.pointee.scalars.cellCount > 0 }

    /// Announces what the thread will do when it is chosen.
    @inline(always) package func announce(_ thread: Int, _ operation: Operation) {
        threads[thread].operation = operation
        announceOperation(of: thread)
    }

    /// The memory of a thread's next operation. After writing to it, call `announceOperation`.
    @inline(always) package func place(ofOperationOf thread: Int) -> UnsafeMutablePointer<Operation> {
        UnsafeMutableRawPointer(threads + thread).advanced(by: Self.operationOffset)
            .assumingMemoryBound(to: Operation.self)
    }

    private static var operationOffset: Int { MemoryLayout<ThreadState>.offset(of: \.operation)! }

    /// Announces the operation that was written to the thread's place.
    package func announceOperation(of thread: Int) {
        let state = threads + thread
        if header.pointee.scalars.watchCount != 0 && endsWatching(state.pointee.operation) { dropWatches(of: thread) }
        if !state.pointee.operation.orders.areStrong { noteWeakOrder(of: state.pointee.operation) }
        state.pointee.status = .announced
        state.pointee.gate = gate(of: state.pointee.operation, by: thread)
    }

    /// Notes that the program uses memory orders weaker than seqcst. A fence does not count: while all operations on
    /// atomics are seqcst, it has no effect.
    @inline(never) private func noteWeakOrder(of operation: Operation) {
        if operation.kind != .fence { header.pointee.traits.insert(.weakOrders) }
    }

    /// The thread's body has returned, so a thread that joins it can continue.
    package func end(_ thread: Int, result: Int) {
        if header.pointee.scalars.watchCount != 0 { dropWatches(of: thread) }
        threads[thread].status = .ended
        threads[thread].gate = .closed
        threads[thread].result = result
        openGates(to: thread)
    }

    // MARK: - Read-write locks: readers

    /// The entry of the thread as a reader of the lock. Nil: it does not hold the lock as a reader.
    func readHold(_ object: UInt32, _ thread: Int) -> UnsafeMutablePointer<ReadHold>? {
        for i in 0..<header.pointee.scalars.holdCount {
            let hold = header.pointee.holds.base + i
            if hold.pointee.object == object && hold.pointee.thread == Int32(thread) { return hold }
        }
        return nil
    }

    /// Adds one hold of the thread as a reader (if `readers` is positive), or removes one.
    func changeReadHolds(of object: UInt32, _ thread: Int, by readers: Int) {
        readers > 0 ? addReadHold(object, thread) : removeReadHold(object, thread)
    }

    private func addReadHold(_ object: UInt32, _ thread: Int) {
        if let hold = readHold(object, thread) {
            hold.pointee.count += 1
            return
        }
        insertReadHold(ReadHold(object: object, thread: Int32(thread), count: 1))
    }

    /// Holds are sorted by object, so that the state does not depend on the order in which a thread took its locks.
    func insertReadHold(_ hold: ReadHold) {
        let count = header.pointee.scalars.holdCount
        header.pointee.holds.reserve(count + 1, keeping: count)
        header.pointee.scalars.holdCount = count + 1
        let holds = header.pointee.holds.base
        var index = count
        while index > 0 && holds[index - 1].object > hold.object {
            holds[index] = holds[index - 1]
            index -= 1
        }
        holds[index] = hold
    }

    private func removeReadHold(_ object: UInt32, _ thread: Int) {
        guard let hold = readHold(object, thread) else { return }
        hold.pointee.count -= 1
        if hold.pointee.count == 0 {
            header.pointee.scalars.holdCount -= 1
            let end = header.pointee.holds.base + header.pointee.scalars.holdCount
            hold.update(from: hold + 1, count: end - hold)
        }
    }

    /// Marks a thread as detached: it was created detached, or a step detaches it.
    package func setDetached(_ thread: Int) {
        threads[thread].isDetached = true
        openGates(to: thread)
    }
}
