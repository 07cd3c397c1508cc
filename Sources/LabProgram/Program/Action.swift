extension Program {
    /// What a method does to its object.
    package enum Action: Equatable, Sendable {
        /// The suffix "For": with a duration as the argument. These, and those that try, return whether they succeeded.
        case lock, tryLock, lockFor, unlock
        case readLock, tryReadLock, readLockFor, writeLock, tryWriteLock, writeLockFor, unlockShared
        case semaphoreWait, semaphoreTryWait, semaphoreWaitFor, semaphoreSignal, semaphoreValue
        case wait, waitFor, signal, broadcast
        /// The method with this number in a recipe.
        case built(method: Int)
        /// Those that change the value return the old one; `compareExchange` returns whether it stored.
        case load, store, exchange, compareExchange, add, bitAnd, bitOr, bitXor
        /// On lists. Removing from an empty list ends the run with an error.
        case append, removeFirst, removeLast, removeAll, count

        /// Whether it changes nothing and never blocks.
        package var onlyLooks: Bool {
            switch self {
            case .load, .count, .semaphoreValue: true
            default: false
            }
        }
    }
}
