import CPthread
import Machine
import Synchronization
import Trace

/// The native runtime's data of an object. It is one block of memory that begins with the POSIX object, or with the
/// atomic word. This structure follows at a fixed offset.
///
/// The block's address is the object's `RuntimeObject.storage`.
struct NativeObject: ~Copyable {
    /// Room for the largest POSIX object.
    static let offset = 64

    let id: UInt32
    let kind: ObjectState.Kind
    /// The thread that holds it (a read-write lock: for writing), plus one. 0: it is free.
    let owner = Atomic<Int32>(0)
    /// The number of times that a read-write lock was acquired.
    let sharedTicket = Atomic<Int>(0)
    /// A read-write lock: the number of its read holds. A semaphore: the number of threads blocked on it.
    let users = Atomic<Int>(0)
    /// A lock with writers first: the number of blocked writers.
    let waitingWriters = Atomic<Int>(0)
    /// A condition: its waiters (`ConditionWaiters`).
    let waiters = Atomic<UInt64>(0)

    /// The source place where it was made.
    let site: SourceSite
    /// A mutex: whether its holder inherits the priority of the threads that wait for it.
    let inheritsPriority: Bool

    init(id: UInt32, kind: ObjectState.Kind, inheritsPriority: Bool, site: SourceSite) {
        self.id = id
        self.site = site
        self.kind = kind
        self.inheritsPriority = inheritsPriority
    }
}

/// Fields that only the owner of a mutex accesses. They are separate so that ThreadSanitizer can check this.
struct MutexBooks {
    /// The number of times that its owner has locked it, or a mark (`ObjectState.Mark`).
    var depth: Int32 = 0
    /// The number of times that it was acquired.
    var ticket = 0
}

/// A native object's block of memory, by its address. Only this type knows its layout.
struct NativeStorage: Equatable {
    let address: UnsafeMutableRawPointer

    init(_ object: RuntimeObject) {
        guard let storage = object.storage else { preconditionFailure("not an object of the native runtime") }
        address = storage
    }

    /// Creates the block, with the POSIX object in it.
    init(id: UInt32, kind: ObjectState.Kind, value: Int, inheritsPriority: Bool, site: SourceSite) {
        let size = Self.books + MemoryLayout<MutexBooks>.size
        address = .allocate(byteCount: size, alignment: 64)
        address.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        (address + NativeObject.offset).bindMemory(to: NativeObject.self, capacity: 1)
            .initialize(to: NativeObject(id: id, kind: kind, inheritsPriority: inheritsPriority, site: site))
        (address + Self.books).bindMemory(to: MutexBooks.self, capacity: 1).initialize(to: MutexBooks())
        makePOSIXObject(kind, value)
    }

    /// The offset of the books: after the words that all threads read, in a cache line that the owner uses anyway.
    private static let books = 128

    var books: UnsafeMutablePointer<MutexBooks> {
        (address + Self.books).assumingMemoryBound(to: MutexBooks.self)
    }
    var object: UnsafeMutablePointer<NativeObject> {
        (address + NativeObject.offset).assumingMemoryBound(to: NativeObject.self)
    }
    var mutex: UnsafeMutablePointer<pthread_mutex_t> { address.assumingMemoryBound(to: pthread_mutex_t.self) }
    var condition: UnsafeMutablePointer<pthread_cond_t> { address.assumingMemoryBound(to: pthread_cond_t.self) }
    var lock: UnsafeMutablePointer<pthread_rwlock_t> { address.assumingMemoryBound(to: pthread_rwlock_t.self) }
    var semaphore: UnsafeMutablePointer<sem_t> { address.assumingMemoryBound(to: sem_t.self) }
    var atomic: UnsafeMutablePointer<Atomic<Int>> { address.assumingMemoryBound(to: Atomic<Int>.self) }
    /// The word of a plain cell. Threads may race on it: races are what it is for.
    var word: UnsafeMutablePointer<Int> { address.assumingMemoryBound(to: Int.self) }

    var id: UInt32 { object.pointee.id }
    var kind: ObjectState.Kind { object.pointee.kind }

    /// Whether a thread holds it or waits on it, so that it must not be destroyed.
    var isInUse: Bool {
        switch kind {
        case .normalMutex, .errorCheckingMutex, .recursiveMutex: object.pointee.owner.load(ordering: .acquiring) != 0
        case .readersFirstLock, .writersFirstLock:
            object.pointee.owner.load(ordering: .acquiring) != 0 || object.pointee.users.load(ordering: .acquiring) != 0
        case .condition: ConditionWaiters(object).count != 0
        case .semaphore, .atomic, .counted, .cell, .file, .seat, .other: false
        }
    }

    /// Frees the block. The POSIX object in it must have been destroyed or abandoned.
    func free() {
        object.deinitialize(count: 1)
        address.deallocate()
    }

    // MARK: - The POSIX object

    func makePOSIXObject(_ kind: ObjectState.Kind, _ value: Int) {
        switch kind {
        case .normalMutex: makeMutex(Int32(PTHREAD_MUTEX_NORMAL))
        case .errorCheckingMutex: makeMutex(Int32(PTHREAD_MUTEX_ERRORCHECK))
        case .recursiveMutex: makeMutex(Int32(PTHREAD_MUTEX_RECURSIVE))
        case .condition: check(pthread_cond_init(condition, nil), "pthread_cond_init")
        case .semaphore:
            checkErrno(sem_init(semaphore, 0, UInt32(min(max(value, 0), Int(Int32.max)))), "sem_init")
        case .readersFirstLock: makeLock(writersFirst: false)
        case .writersFirstLock: makeLock(writersFirst: true)
        case .atomic, .counted, .file, .seat: atomic.initialize(to: Atomic(value))
        case .cell, .other: word.initialize(to: value)
        }
    }

    /// - Returns: whether it succeeded. Some POSIX objects report that they are in use.
    func destroyPOSIXObject() -> Bool {
        switch kind {
        case .normalMutex, .errorCheckingMutex, .recursiveMutex: pthread_mutex_destroy(mutex) == 0
        case .condition: pthread_cond_destroy(condition) == 0
        case .semaphore: sem_destroy(semaphore) == 0
        case .readersFirstLock, .writersFirstLock: pthread_rwlock_destroy(lock) == 0
        case .atomic, .counted, .cell, .file, .seat, .other: true
        }
    }

    private func makeMutex(_ type: Int32) {
        var attributes = pthread_mutexattr_t()
        check(pthread_mutexattr_init(&attributes), "pthread_mutexattr_init")
        check(pthread_mutexattr_settype(&attributes, type), "pthread_mutexattr_settype")
        if object.pointee.inheritsPriority {
            check(
                pthread_mutexattr_setprotocol(&attributes, Int32(PTHREAD_PRIO_INHERIT)),
                "pthread_mutexattr_setprotocol")
        }
        check(pthread_mutex_init(mutex, &attributes), "pthread_mutex_init")
        check(pthread_mutexattr_destroy(&attributes), "pthread_mutexattr_destroy")
    }

    private func makeLock(writersFirst: Bool) {
        var attributes = pthread_rwlockattr_t()
        check(pthread_rwlockattr_init(&attributes), "pthread_rwlockattr_init")
        check(
            cpthread_rwlockattr_set_writers_first(&attributes, writersFirst ? 1 : 0), "pthread_rwlockattr_setkind_np")
        check(pthread_rwlock_init(lock, &attributes), "pthread_rwlock_init")
        check(pthread_rwlockattr_destroy(&attributes), "pthread_rwlockattr_destroy")
    }
}

/// The waiters of a condition, in one word: their mutex, the number of waiters, and the number of threads that were
/// woken and have not returned yet. POSIX does not reveal this.
struct ConditionWaiters {
    private let word: UnsafeMutablePointer<NativeObject>

    init(_ object: UnsafeMutablePointer<NativeObject>) { word = object }

    /// The number of waiters that have not been woken.
    var count: Int { Self.waiting(load()) }

    /// Whether no thread is in a wait or leaving one.
    var isDeserted: Bool { load() & 0xFFFF_FFFF == 0 }

    /// Adds a waiter with this mutex. Returns false if other threads wait with a different one.
    func enter(with mutex: UInt32) -> Bool {
        update { old in
            guard Self.waiting(old) == 0 || old >> 32 == UInt64(mutex) else { return nil }
            return (old & 0xFFFF_FFFF | UInt64(mutex) << 32) + Self.oneWaiting
        }
    }

    /// Accounts for a signal that is about to be sent: it wakes one of the waiters, if there are any.
    func wakeOne() {
        _ = update { Self.waiting($0) > 0 ? $0 - Self.oneWaiting + 1 : nil }
    }

    func wakeAll() {
        _ = update { $0 - UInt64(Self.waiting($0)) * Self.oneWaiting + UInt64(Self.waiting($0)) }
    }

    /// A waiter has returned.
    ///
    /// - Parameter timedOut: whether its deadline passed. If it was woken too, the signal went to another waiter or is
    ///   lost.
    func leave(timedOut: Bool) {
        _ = update { old in
            let woken = old & 0xFFFF
            // Without a signal of its own the thread woke spuriously, and is still counted as waiting.
            if woken == 0 || (timedOut && Self.waiting(old) > 0) { return old &- Self.oneWaiting }
            return old - 1
        }
    }

    private static let oneWaiting: UInt64 = 1 << 16

    private static func waiting(_ word: UInt64) -> Int { Int(word >> 16 & 0xFFFF) }

    private func load() -> UInt64 { word.pointee.waiters.load(ordering: .acquiring) }

    /// - Returns: false if `change` refused.
    private func update(_ change: (UInt64) -> UInt64?) -> Bool {
        var old = load()
        while true {
            guard let new = change(old) else { return false }
            let (done, found) = word.pointee.waiters.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if done { return true }
            old = found
        }
    }
}
