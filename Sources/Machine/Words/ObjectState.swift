/// One object of the machine, as plain words: a synchronization object, a word of memory, or a file.
package struct ObjectState: Sendable, Equatable, BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        case normalMutex, errorCheckingMutex, recursiveMutex
        case condition
        case semaphore
        case readersFirstLock, writersFirstLock
        case atomic, cell, file
        /// An atomic that counts the references to an object. At the end of a run it must be 0.
        case counted
        /// Stands for a thread of a `.lab` program that other threads start. Its value is the thread's number plus one
        /// once the thread has been started, and 0 before.
        case seat
        /// No object that this execution uses: number 0, and numbers of objects that it has not made yet.
        case other

        package var isMutex: Bool { self == .normalMutex || self == .errorCheckingMutex || self == .recursiveMutex }
        package var isAtomic: Bool { self == .atomic || self == .counted }
        package var isReadWriteLock: Bool { self == .readersFirstLock || self == .writersFirstLock }
    }

    package var kind: Kind
    /// Whether its value is examined in every state, so that writes of different observed objects depend on each other.
    package var isObserved = false
    /// The number of the thread that holds the object, plus one; for a read-write lock, of the writer. 0: it has no
    /// owner. `noPermit`: it is a semaphore without a permit.
    package var owner: Int32 = 0
    @inline(__always) static var noPermit: Int32 { -1 }

    /// What a thread that releases a robust mutex leaves on it. A mark is the argument of the `unlock`, and then the
    /// `count` of the free mutex.
    package enum Mark {
        package static let none = 0
        /// The owner has ended: the next thread to lock the mutex gets it with this result (POSIX `EOWNERDEAD`).
        package static let ownerDied = -1
        /// It was released while inconsistent: no thread can lock it again (POSIX `ENOTRECOVERABLE`).
        package static let unusable = -2
    }

    /// For a mutex, its lock count or, if it is free, its mark; for a read-write lock, how often readers hold it; for a
    /// condition, the number of its waiters.
    package var count: Int32 = 0
    /// For a semaphore, an atomic, a cell or a seat, its value; for a mutex, how often it was acquired; for a
    /// condition, the number of its waiters' mutex; for a file, the number of its records.
    package var value: Int

    package init(kind: Kind, value: Int = 0) {
        self.kind = kind
        self.value = value
    }
}
