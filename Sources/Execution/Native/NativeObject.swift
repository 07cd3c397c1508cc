import CPthread
import Machine
import Synchronization
import Trace

/// The native runtime's data of an object. The object is one block of memory: first the POSIX object or the word of
/// memory, then this structure at a fixed offset, then the `MutexBooks`. The block's address is the object's
/// `RuntimeObject.storage`.
struct NativeObject: ~Copyable {
    /// The offset of this structure: room for the largest POSIX object.
    static let offset = 64

    let id: UInt32
    let kind: ObjectState.Kind
    /// A mutex or read-write lock: the thread that holds it (exclusively), plus one; 0 if none does.
    let owner = Atomic<Int32>(0)
    /// A read-write lock: how often it was acquired.
    let sharedTicket = Atomic<Int>(0)
    /// A read-write lock: its read holds, and `downgradeInProgress`. A semaphore: the threads blocked on it.
    let users = Atomic<Int>(0)
    /// A read-write lock: the number of blocked writers.
    let waitingWriters = Atomic<Int>(0)
    /// A condition: its waiters, packed into one word (`ConditionWaiters`).
    let waiters = Atomic<UInt64>(0)

    /// The source location where it was made.
    let site: SourceSite
    /// A mutex: whether its holder inherits the priority of a waiting thread.
    let inheritsPriority: Bool

    init(id: UInt32, kind: ObjectState.Kind, inheritsPriority: Bool, site: SourceSite) {
        self.id = id
        self.site = site
        self.kind = kind
        self.inheritsPriority = inheritsPriority
    }
}

/// The fields of a mutex that only its holder accesses. They are separate so that ThreadSanitizer can check that.
struct MutexBooks {
    /// How often its owner has locked it without unlocking it, or a mark (`ObjectState.Mark`).
    var depth: Int32 = 0
    /// How often it was acquired.
    var ticket = 0
}

/// The block of memory of a native object, by its address. Only this type knows the block's layout.
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

    /// The offset of the books: after the fields that all threads read, in another cache line.
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
    /// The word of a plain cell. Threads may race on it: that is what a cell is for.
    var word: UnsafeMutablePointer<Int> { address.assumingMemoryBound(to: Int.self) }

    var id: UInt32 { object.pointee.id }
    var kind: ObjectState.Kind { object.pointee.kind }

    /// Whether a thread holds the object, or waits on it as a condition, so that it must not be destroyed.
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

    /// Initializes the POSIX object, or the word of memory. The value is that of the word, or of a semaphore.
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

    /// Destroys the POSIX object.
    ///
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

/// The waiters of a condition, which POSIX does not reveal. One word has the number of the waiters' mutex (32 bits),
/// the number of waiters that have not been woken (16), and the number of threads that were woken and have not returned
/// yet (16).
struct ConditionWaiters {
    private let object: UnsafeMutablePointer<NativeObject>

    init(_ object: UnsafeMutablePointer<NativeObject>) { self.object = object }

    /// The number of waiters that have not been woken.
    var count: Int { Self.waiting(load()) }

    /// Whether every wait has returned.
    var isDeserted: Bool { load() & Self.bothCountsMask == 0 }

    /// Adds a waiter that has this mutex. Returns false if other threads wait with a different one.
    func enter(with mutex: UInt32) -> Bool {
        update { old in
            guard Self.waiting(old) == 0 || old >> Self.mutexShift == UInt64(mutex) else { return nil }
            return (old & Self.bothCountsMask | UInt64(mutex) << Self.mutexShift) + Self.oneWaiting
        }
    }

    /// Counts one waiter, if there is any, as woken. Called before the signal is sent.
    func wakeOne() {
        _ = update { Self.waiting($0) > 0 ? $0 - Self.oneWaiting + Self.oneWoken : nil }
    }

    /// Counts all waiters as woken. Called before the broadcast is sent.
    func wakeAll() {
        _ = update { old in
            let waiting = UInt64(Self.waiting(old))
            return old - waiting * Self.oneWaiting + waiting * Self.oneWoken
        }
    }

    /// Removes a thread whose wait has returned.
    ///
    /// - Parameter timedOut: whether its deadline passed. If so, it is taken to be a waiter that was not woken, if
    ///   there is one.
    func leave(timedOut: Bool) {
        _ = update { old in
            let woken = old & Self.countMask
            // If no thread was woken, this wait ended spuriously, at its deadline or with the run, and still counts.
            if woken == 0 || (timedOut && Self.waiting(old) > 0) { return old &- Self.oneWaiting }
            return old - Self.oneWoken
        }
    }

    // The layout of the word, from the lowest bits: the number of woken threads, the number of waiters, the mutex.
    private static let oneWoken: UInt64 = 1
    private static let oneWaiting: UInt64 = 1 << 16
    private static let mutexShift: UInt64 = 32
    /// The bits of the lower number, and of both.
    private static let countMask: UInt64 = 0xFFFF
    private static let bothCountsMask: UInt64 = 0xFFFF_FFFF

    private static func waiting(_ word: UInt64) -> Int { Int(word / oneWaiting & countMask) }

    private func load() -> UInt64 { object.pointee.waiters.load(ordering: .acquiring) }

    /// Replaces the word atomically.
    ///
    /// - Returns: false if `change` returned nil.
    private func update(_ change: (UInt64) -> UInt64?) -> Bool {
        var old = load()
        while true {
            guard let new = change(old) else { return false }
            let (done, found) = object.pointee.waiters.compareExchange(
                expected: old, desired: new, ordering: .acquiringAndReleasing)
            if done { return true }
            old = found
        }
    }
}
