/// One synchronisation object of the machine, as plain words.
package struct ObjectState: Sendable, BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        case normalMutex, errorCheckingMutex, recursiveMutex
        case condition
        case semaphore
        case readersFirstLock, writersFirstLock
        case atomic, cell, file
        /// Where a declared thread sits once it has been started. Its value is the number of the thread plus one.
        case seat
        case other

        package var isMutex: Bool { self == .normalMutex || self == .errorCheckingMutex || self == .recursiveMutex }
        package var isReadWriteLock: Bool { self == .readersFirstLock || self == .writersFirstLock }
    }

    package var kind: Kind
    /// The thread that holds it, plus one. Zero: no thread, it is free. Of a read-write lock: the writer. Of a semaphore: -1 if it has
    /// no permit.
    package var owner: Int32 = 0
    /// What the thread that gives a robust mutex back leaves on it, as the argument of its `unlock`; and, of a free mutex, its count.
    package enum Mark {
        package static let none = 0
        /// The thread has ended holding it: the next to lock it gets it, and learns so (POSIX `EOWNERDEAD`).
        package static let ownerDied = -1
        /// It was released while inconsistent: no thread gets it any more (POSIX `ENOTRECOVERABLE`).
        package static let unusable = -2
    }

    /// Of a mutex, how often it is held, or its mark; of a read-write lock, the number of read holds; of a condition, its waiters.
    package var count: Int32 = 0
    /// A semaphore's, atomic's or cell's value; of a mutex, how often it was acquired; of a condition, its waiters' mutex.
    package var value: Int

    package init(kind: Kind, value: Int = 0) {
        self.kind = kind
        self.value = value
    }
}
