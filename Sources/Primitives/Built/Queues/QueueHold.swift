import Execution
import Machine
import Synchronization
import Trace

/// The lock that a thread holds while it runs an item of a queue: a mutex for a serial queue; for a concurrent one a
/// read-write lock, which a barrier holds for writing and any other item for reading. So a thread that waits for a
/// queue waits for the thread that runs its item, and a cycle of such waits is reported as a deadlock with names.
final class QueueHold: Sendable {
    let handle: Handle
    private let isSerial: Bool
    /// For a concurrent queue: a mutex that is held by the thread that runs a barrier. A barrier that waits for its own
    /// queue thus waits for a mutex of its own thread, which is a deadlock. The read-write lock alone would refuse it
    /// as a misuse.
    private let barrier: Part?
    /// The number of the thread that runs a barrier, plus one. 0: none does. A thread only compares it with its own
    /// number, so relaxed accesses suffice.
    private let owner = Synchronization.Atomic(0)

    init(_ name: String, isSerial: Bool, at site: SourceSite) {
        self.isSerial = isSerial
        barrier = isSerial ? nil : Part(.normalMutex, "the barrier of \(name)", at: site)
        handle = Handle(isSerial ? .normalMutex : .writersFirstLock, shownAs: .workQueue, name, at: site)
    }

    deinit { handle.discard() }

    /// A serial queue is acquired and released by its mutex alone.
    @inline(__always) func lock(at site: SourceSite) throws { try handle.perform(.lock, at: site) }
    @inline(__always) func unlock(at site: SourceSite) throws { try handle.perform(.unlock, at: site) }

    /// Waits until the queue is free, and acquires it.
    ///
    /// - Parameter alone: whether it is for an item that excludes all others of the queue.
    func take(alone: Bool, at site: SourceSite) throws {
        guard let barrier else { return try lock(at: site) }
        // A thread that already runs a barrier waits here for itself: a deadlock, also if the new item is not a
        // barrier.
        if alone || isBarrierOfCaller { try barrier.lock(at: site) }
        try handle.perform(alone ? .writeLock : .readLock, at: site)
        if alone { owner.store(caller, ordering: .relaxed) }
    }

    /// Acquires the queue if it is free. Returns whether it did.
    func tryTake(alone: Bool, at site: SourceSite) throws -> Bool {
        guard let barrier else { return try handle.perform(.tryLock, at: site) != 0 }
        guard alone else { return try handle.perform(.tryReadLock, at: site) != 0 }
        guard try barrier.tryLock(at: site) else { return false }
        guard try handle.perform(.tryWriteLock, at: site) != 0 else {
            try barrier.unlock(at: site)
            return false
        }
        owner.store(caller, ordering: .relaxed)
        return true
    }

    /// Releases the queue.
    func give(alone: Bool, at site: SourceSite) throws {
        if isSerial { return try unlock(at: site) }
        if alone { owner.store(0, ordering: .relaxed) }
        try handle.perform(.unlockShared, at: site)
        if alone { try barrier?.unlock(at: site) }
    }

    /// Whether the calling thread runs a barrier of the concurrent queue.
    var isBarrierOfCaller: Bool { owner.load(ordering: .relaxed) == caller }

    private var caller: Int { Int(handle.currentThread.index) + 1 }

    func record(_ remark: Remark, _ value: Int = 0, at site: SourceSite) { handle.record(remark, value, at: site) }

    var currentThread: ThreadID { handle.currentThread }
}

/// The queues whose blocks one thread runs, the innermost last. The references are not counted, because the caller of a
/// block keeps its queue alive.
///
/// Its owner must call `free`. It uses plain memory because every `sync` pushes and pops its queue, and should cost no
/// more than a mutex.
@usableFromInline struct HeldQueues {
    private var base: UnsafeMutablePointer<Unmanaged<QueueLevel>>?
    private var capacity = 0
    private var count = 0

    @inline(__always) mutating func push(_ level: QueueLevel) {
        if count == capacity { grow() }
        base.unsafelyUnwrapped[count] = .passUnretained(level)
        count += 1
    }

    @inline(__always) mutating func pop() { count -= 1 }

    mutating func removeAll() { count = 0 }

    var innermost: QueueLevel? { count == 0 ? nil : base![count - 1].takeUnretainedValue() }

    func contains(where fits: (QueueLevel) -> Bool) -> Bool {
        (0..<count).contains { fits(base![$0].takeUnretainedValue()) }
    }

    @inline(never) private mutating func grow() {
        capacity = max(4, capacity * 2)
        let larger = UnsafeMutablePointer<Unmanaged<QueueLevel>>.allocate(capacity: capacity)
        if let base { larger.update(from: base, count: count) }
        base?.deallocate()
        base = larger
    }

    func free() { base?.deallocate() }
}
