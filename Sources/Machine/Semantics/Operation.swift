/// One visible operation: a thread announces it, and takes it when it is chosen. This is the granularity of a step.
package struct Operation: Equatable, Sendable, BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// The first step of a new thread.
        case start
        /// The process exits: every other thread ends where it is (POSIX `exit`).
        case exit
        /// All memory is read.
        case inspect
        /// The clock is read.
        case readClock
        case spawn, join, tryJoin, joinUntil, detach, yield, sleepUntil
        case lock, tryLock, lockUntil, unlock
        case wait, signal, broadcast
        case semaphoreWait, semaphoreTryWait, semaphoreWaitUntil, semaphoreSignal, semaphoreValue
        case readLock, tryReadLock, readLockUntil, writeLock, tryWriteLock, writeLockUntil, unlockShared
        case load, store, exchange, add, bitAnd, bitOr, bitXor, compareExchange
        case read, write
        case append
        case destroy
        case choose
    }

    package var kind: Kind
    /// The object concerned, or 0. For a spawn, join or detach: the seat of the thread, if it has one.
    package var object: UInt32
    /// The first argument: a value, a bound, a thread, or the mutex of a wait. For a sleep, its intended duration.
    package var a: Int
    /// The second argument: a deadline in nanoseconds, or the value that a compare-exchange stores.
    package var b: Int

    package init(_ kind: Kind, _ object: UInt32 = 0, _ a: Int = 0, _ b: Int = 0) {
        self.kind = kind
        self.object = object
        self.a = a
        self.b = b
    }

    /// The second argument of a read, a load or a read of a semaphore's value: whether the thread watches for changes.
    /// This is how an `await` blocks: it watches what it reads, and reads again when any of it has been written.
    package enum Watch {
        /// The thread watches this object, and no other so far.
        package static let first = 1
        /// This one too.
        package static let further = 2
        /// Waits until something that the thread watches has been written; then like `first`.
        package static let again = 3
        /// The first argument of such a read: the thread keeps its processor busy while it waits. If no thread can
        /// continue, it is not a deadlock but a livelock.
        package static let spinning = 1
    }

    /// Whether it is a read that watches.
    package var isWatching: Bool { b != 0 && kind.isLook }

    /// Whether it is a read in a loop that keeps the processor busy.
    package var isSpinning: Bool { isWatching && a == Watch.spinning }

    /// A deadline that never passes.
    package static let never = Int.max
}
