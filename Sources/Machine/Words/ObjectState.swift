/// One synchronization object of the machine, as plain words.
package struct ObjectState: Sendable, Equatable, BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        case normalMutex, errorCheckingMutex, recursiveMutex
        case condition
        case semaphore
        case readersFirstLock, writersFirstLock
        case atomic, cell, file
        /// An atomic that counts the references to an object. At the end of a run it must be 0.
        case counted
        /// Where a declared thread sits once it has been started. Its value is the number of the thread plus one.
        case seat
        case other

        package var isMutex: Bool { self == .normalMutex || self == .errorCheckingMutex || self == .recursiveMutex }
        package var isAtomic: Bool { self == .atomic || self == .counted }
        package var isReadWriteLock: Bool { self == .readersFirstLock || self == .writersFirstLock }
    }

    package var kind: Kind
    /// Whether something looks at it in every state: then writes of different observed objects depend on each other.
    package var isObserved = false
    /// The thread that holds it, plus one. Zero: no thread, it is free. For a read-write lock: the writer. For a
    /// semaphore: -1 if it has no permit.
    package var owner: Int32 = 0
    /// The mark that the thread that releases a robust mutex leaves on it, as the argument of its `unlock`; for a free
    /// mutex, its count.
    package enum Mark {
        package static let none = 0
        /// The owner has ended: the next thread to lock the mutex gets it with this result (POSIX `EOWNERDEAD`).
        package static let ownerDied = -1
        /// It was released while inconsistent: no thread can lock it again (POSIX `ENOTRECOVERABLE`).
        package static let unusable = -2
    }

    /// For a mutex, its lock count, or its mark; for a read-write lock, the number of read holds; for a condition, its
    /// waiters.
    package var count: Int32 = 0
    /// A semaphore's, atomic's or cell's value; for a mutex, how often it was acquired; for a condition, its waiters'
    /// mutex.
    package var value: Int

    package init(kind: Kind, value: Int = 0) {
        self.kind = kind
        self.value = value
    }
}
