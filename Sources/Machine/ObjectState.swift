/// One synchronisation object of the machine, as plain words.
public struct ObjectState: Sendable {
    public enum Kind: UInt8, Sendable {
        case normalMutex, errorCheckingMutex, recursiveMutex
        case condition
        case semaphore
        case readersFirstLock, writersFirstLock
        case atomic, cell, file
        case other
    }

    public var kind: Kind
    /// The thread that holds it, plus one. Zero: nobody, it is free. Of a read-write lock: the writer. Of a semaphore: -1 if it has
    /// no permit.
    public var owner: Int32 = 0
    /// Of a mutex, how often it is held; of a read-write lock, the number of read holds; of a condition, its waiters.
    public var count: Int32 = 0
    /// A semaphore's, atomic's or cell's value; of a mutex, how often it was acquired; of a condition, its waiters' mutex.
    public var value: Int

    public init(kind: Kind, value: Int = 0) {
        self.kind = kind
        self.value = value
    }
}
