import CLab
import Machine
import Trace

/// The objects, threads and names of a native run. Its lock is taken when these are created, looked up or freed, but
/// not by operations on objects.
final class NativeRegistry: @unchecked Sendable {
    let lock = NativeLock()

    private var objects: [UInt32: NativeStorage] = [:]
    private var objectCount: UInt32 = 0
    private var names = NameTable()
    private var threadNames: [String] = []
    private var threads: [NativeThread] = []
    /// The number of threads that may exist at once.
    private var threadLimit = MachineState.maximumThreads
    /// The memory of objects that were released while in use. It is freed with the registry.
    private var retired: [NativeStorage] = []
    private var slots: [NativeSlot] = []
    /// Whether it serves the code outside a run. Names are then not unique, and when no new numbers are left, threads get
    /// those of threads that have ended.
    private let isAmbient: Bool
    /// The number at which the search for one to reuse continues, so that each number is reused as late as possible.
    private var nextNumber = 1

    init(isAmbient: Bool) { self.isAmbient = isAmbient }

    deinit { for storage in retired { storage.free() } }

    // MARK: - Objects

    func addObject(_ kind: ObjectKind, name: String?, make: (UInt32, String) -> NativeStorage) -> RuntimeObject {
        lock.withLock {
            objectCount += 1
            let storage = make(objectCount, unique(name, fallback: kind.defaultName))
            objects[objectCount] = storage
            return RuntimeObject(id: objectCount, storage: storage.address)
        }
    }

    /// Removes an object that was released.
    func removeObject(_ storage: NativeStorage) { lock.withLock { objects[storage.id] = nil } }

    /// Keeps the memory of an object that was released while in use, so that a thread that still uses it does no harm.
    func retire(_ storage: NativeStorage) { lock.withLock { retired.append(storage) } }

    /// The thread that holds the object, as its `owner` (`NativeThread.asOwner`). 0 if none does, or the object does
    /// not exist.
    func owner(ofObject id: UInt32) -> Int32 {
        lock.withLock { objects[id]?.object.pointee.owner.load(ordering: .acquiring) ?? 0 }
    }

    /// Calls `visit` for every object, with the lock held: no object is freed meanwhile.
    func forEachObject(_ visit: (NativeStorage) -> Void) {
        lock.withLock { for storage in objects.values { visit(storage) } }
    }

    // MARK: - Threads

    /// Adds a thread, which gets a number and a name.
    ///
    /// - Throws: `ThreadCreationFailed`, if there are too many.
    func addThread(
        named name: String?, fallback: String = "thread", make: (Int, String) -> NativeThread
    ) throws -> NativeThread {
        try lock.withLock {
            if isAmbient, let number = freeNumber {
                threads[number] = make(number, name ?? fallback)
                threadNames[number] = name ?? fallback
                return threads[number]
            }
            guard threads.count < MachineState.maximumThreads else { throw ThreadCreationFailed.noNumber }
            guard threads.count < threadLimit || threads.count(where: \.exists) < threadLimit else {
                throw ThreadCreationFailed.limit(threadLimit)
            }
            let unique = unique(name, fallback: fallback)
            let thread = make(threads.count, unique)
            threads.append(thread)
            threadNames.append(unique)
            return thread
        }
    }

    private func unique(_ name: String?, fallback: String) -> String {
        isAmbient ? name ?? fallback : names.unique(name, fallback: fallback)
    }

    /// The number of a thread that has left, for reuse. Nil if there are still new numbers, or no thread has left.
    private var freeNumber: Int? {
        guard threads.count == MachineState.maximumThreads else { return nil }
        for _ in 1..<threads.count {
            let number = nextNumber
            nextNumber = number + 1 < threads.count ? number + 1 : 1
            if !threads[number].exists && threads[number].hasLeft.load(ordering: .acquiring) { return number }
        }
        return nil
    }

    func setThreadLimit(_ count: Int) { lock.withLock { threadLimit = count } }

    func thread(_ index: UInt32) -> NativeThread? {
        lock.withLock { index < threads.count ? threads[Int(index)] : nil }
    }

    var allThreads: [NativeThread] { lock.withLock { threads } }
    var threadCount: Int { lock.withLock { threads.count } }

    /// The kernel's numbers of the threads that have begun, without the calling thread.
    var kernelNumbersOfOthers: [Int32] {
        let own = clab_thread_id()
        return allThreads.map { $0.kernelNumber.load(ordering: .relaxed) }.filter { $0 != 0 && $0 != own }
    }

    /// Forgets the threads when the run is over: they and the runtime refer to each other.
    func forgetThreads() {
        let forgotten = lock.withLock {
            defer { threads = [] }
            return threads
        }
        // Released outside the lock: what threads own may discard objects, which takes the lock.
        withExtendedLifetime(forgotten) {}
    }

    func name(of thread: ThreadID) -> String {
        lock.withLock {
            Int(thread.index) < threadNames.count ? threadNames[Int(thread.index)] : "thread \(thread.index)"
        }
    }

    // MARK: - Slots

    func addSlot(_ slot: NativeSlot) { lock.withLock { slots.append(slot) } }

    /// Makes a number and a name for an object that has no memory here, such as a slot.
    func declare(_ kind: ObjectKind, named name: String?) -> (id: UInt32, name: String) {
        lock.withLock {
            objectCount += 1
            return (objectCount, names.unique(name, fallback: kind.defaultName))
        }
    }
}
