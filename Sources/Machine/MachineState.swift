/// The state of the abstract machine: threads and objects as plain words in flat memory, which can be copied and compared
/// as such. What an operation means is written beside it: `MachineState+Enabled` and `MachineState+Step`.
///
/// A handle to memory that it owns by convention: whoever makes one ends it with `deallocate()`. Its methods change what
/// it points to, never the handle, so that the hot loop pays neither for copies nor for exclusivity checks.
public struct MachineState: @unchecked Sendable {
    @usableFromInline struct Header {
        /// The virtual clock, in nanoseconds. It moves only when no thread can go on without it (`passTime`).
        @usableFromInline var time = 0
        @usableFromInline var threadCount = 0
        @usableFromInline var objectCount = 1
        @usableFromInline var objectCapacity: Int
        @usableFromInline var holdCount = 0
        @usableFromInline var holdCapacity: Int
        @usableFromInline var watchCount = 0
        @usableFromInline var watchCapacity: Int
        @usableFromInline var nextTicket = 0
        /// How many more waits may end without a signal.
        @usableFromInline var spuriousBudget = 0
        /// Whether waits with a time limit may end at any moment, and whether a signal wakes the first waiter.
        @usableFromInline var mayTimeOut = false
        @usableFromInline var wakesFirst = false
        @usableFromInline var objects: UnsafeMutablePointer<ObjectState>
        @usableFromInline var holds: UnsafeMutablePointer<ReadHold>
        @usableFromInline var watches: UnsafeMutablePointer<Watch>
    }

    /// A thread is to learn when the object is written.
    @usableFromInline struct Watch {
        @usableFromInline var object: UInt32
        @usableFromInline var thread: Int32
    }

    /// A thread's share of a read-write lock.
    @usableFromInline struct ReadHold {
        @usableFromInline var object: UInt32
        @usableFromInline var thread: Int32
        @usableFromInline var count: Int32
    }

    /// The most threads that one run may have.
    public static let maximumThreads = 1024
    /// The most objects that one run may have.
    public static let maximumObjects = 1 << 20

    @usableFromInline let header: UnsafeMutablePointer<Header>
    @usableFromInline let threads: UnsafeMutablePointer<ThreadState>

    public init() {
        let objects = 64
        let holds = 16
        header = .allocate(capacity: 1)
        threads = .allocate(capacity: Self.maximumThreads)
        header.initialize(
            to: Header(
                objectCapacity: objects, holdCapacity: holds, watchCapacity: holds,
                objects: .allocate(capacity: objects), holds: .allocate(capacity: holds),
                watches: .allocate(capacity: holds)))
        makeNothing()
    }

    /// Object 0 is none, and always free.
    @usableFromInline func makeNothing() { header.pointee.objects.initialize(to: ObjectState(kind: .other)) }

    public func deallocate() {
        header.pointee.objects.deallocate()
        header.pointee.holds.deallocate()
        header.pointee.watches.deallocate()
        header.deallocate()
        threads.deallocate()
    }

    /// Back to a machine with no thread and no object, at time zero.
    package func reset(_ rules: Rules = Rules()) {
        header.pointee.time = 0
        header.pointee.threadCount = 0
        header.pointee.objectCount = 1
        header.pointee.holdCount = 0
        header.pointee.watchCount = 0
        header.pointee.nextTicket = 0
        header.pointee.spuriousBudget = rules.spuriousWakeups
        header.pointee.mayTimeOut = rules.timeouts == .any
        header.pointee.wakesFirst = rules.waiters == .fifo
    }

    public var time: Int { header.pointee.time }
    public var threadCount: Int { header.pointee.threadCount }
    public var objectCount: Int { header.pointee.objectCount }

    public func thread(_ index: Int) -> ThreadState { threads[index] }
    @inlinable @inline(__always) public func operation(of thread: Int) -> Operation { threads[thread].operation }
    public func object(_ index: UInt32) -> ObjectState { header.pointee.objects[Int(index)] }

    /// Whether the thread has left its body.
    @inlinable @inline(__always) public func hasEnded(_ thread: Int) -> Bool { threads[thread].status == .ended }

    /// Whether the thread has not taken its first step.
    public func isNew(_ thread: Int) -> Bool { threads[thread].operation.kind == .start }

    /// Adds a thread that is about to take its first step, or, for the main thread, is running. Nil when there is no room.
    public func addThread(status: ThreadState.Status = .announced) -> Int? {
        let index = header.pointee.threadCount
        guard index < Self.maximumThreads else { return nil }
        header.pointee.threadCount = index + 1
        threads[index] = ThreadState()
        threads[index].status = status
        threads[index].gate = status == .announced ? .open : .closed
        return index
    }

    /// Adds an object. Nil when there is no room.
    public func addObject(_ kind: ObjectState.Kind, value: Int = 0) -> UInt32? {
        let index = header.pointee.objectCount
        if index == header.pointee.objectCapacity {
            guard index < Self.maximumObjects else { return nil }
            header.pointee.objects = grown(header.pointee.objects, count: index)
            header.pointee.objectCapacity = index * 2
        }
        header.pointee.objects[index] = ObjectState(kind: kind, value: value)
        if kind == .semaphore && value == 0 { header.pointee.objects[index].owner = -1 }
        header.pointee.objectCount = index + 1
        return UInt32(index)
    }

    /// Says what the thread will do when it is chosen.
    @inlinable @inline(__always) public func announce(_ thread: Int, _ operation: Operation) {
        if header.pointee.watchCount != 0 && !operation.isWatching { dropWatches(of: thread) }
        threads[thread].operation = operation
        threads[thread].status = .announced
        threads[thread].gate = gate(of: operation, by: thread)
    }

    /// The thread has left its body. Whoever joins it can go on.
    public func end(_ thread: Int, result: Int) {
        if header.pointee.watchCount != 0 { dropWatches(of: thread) }
        threads[thread].status = .ended
        threads[thread].gate = .closed
        threads[thread].result = result
    }

    // MARK: - Read-write locks: who reads

    @usableFromInline func readHold(_ object: UInt32, _ thread: Int) -> UnsafeMutablePointer<ReadHold>? {
        for i in 0..<header.pointee.holdCount {
            let hold = header.pointee.holds + i
            if hold.pointee.object == object && hold.pointee.thread == Int32(thread) { return hold }
        }
        return nil
    }

    @usableFromInline func addReadHold(_ object: UInt32, _ thread: Int) {
        header.pointee.objects[Int(object)].count += 1
        if let hold = readHold(object, thread) {
            hold.pointee.count += 1
            return
        }
        let index = header.pointee.holdCount
        if index == header.pointee.holdCapacity {
            header.pointee.holds = grown(header.pointee.holds, count: index)
            header.pointee.holdCapacity = index * 2
        }
        header.pointee.holds[index] = ReadHold(object: object, thread: Int32(thread), count: 1)
        header.pointee.holdCount = index + 1
    }

    /// False if the thread has no read hold on the object.
    @usableFromInline func removeReadHold(_ object: UInt32, _ thread: Int) -> Bool {
        guard let hold = readHold(object, thread) else { return false }
        header.pointee.objects[Int(object)].count -= 1
        hold.pointee.count -= 1
        if hold.pointee.count == 0 {
            header.pointee.holdCount -= 1
            hold.pointee = header.pointee.holds[header.pointee.holdCount]
        }
        return true
    }

    @usableFromInline func grown<T>(_ old: UnsafeMutablePointer<T>, count: Int) -> UnsafeMutablePointer<T> {
        let new = UnsafeMutablePointer<T>.allocate(capacity: count * 2)
        new.moveInitialize(from: old, count: count)
        old.deallocate()
        return new
    }
}
