/// One synchronisation object of the machine, as plain words.
package struct ObjectState {
    package enum Kind: UInt8 {
        case normalMutex, errorCheckingMutex, recursiveMutex
        case condition
        case semaphore
        case readersFirstLock, writersFirstLock
        case atomic, cell, file
        case other
    }

    package var kind: Kind
    /// The thread that holds it, plus one. Zero: nobody. Of a read-write lock: the writer.
    package var owner: Int32 = 0
    /// Of a mutex, how often it is held; of a read-write lock, the number of read holds; of a condition, its waiters.
    package var count: Int32 = 0
    /// A semaphore's, atomic's or cell's value; of a mutex, how often it was acquired; of a condition, its waiters' mutex.
    package var value: Int

    package init(kind: Kind, value: Int = 0) {
        self.kind = kind
        self.value = value
    }
}
