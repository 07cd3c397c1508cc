/// One visible operation: what a thread announces, and takes when it is chosen. This is the granularity of a step.
public struct Operation: Equatable, Sendable {
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// The first step of a new thread.
        case start
        /// The process exits: every other thread is cut off (POSIX `exit`).
        case exit
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

    public var kind: Kind
    /// The object concerned, or 0.
    public var object: UInt32
    /// The first argument: a value, a bound, a thread, or the mutex of a wait. Of a sleep, how long it was meant to be.
    public var a: Int
    /// The second argument: a deadline in nanoseconds, or the value that a compare-exchange stores.
    public var b: Int

    @inlinable public init(_ kind: Kind, _ object: UInt32 = 0, _ a: Int = 0, _ b: Int = 0) {
        self.kind = kind
        self.object = object
        self.a = a
        self.b = b
    }

    /// The second argument of a read, a load or a look at a semaphore's value: whether the thread is to learn of changes.
    /// So an `await` blocks: it watches what it reads, and reads again when something of that has been written.
    public enum Watch {
        /// The thread watches this object and no other yet.
        public static let first = 1
        /// This one too.
        public static let further = 2
        /// Not before something that the thread watches has been written; then like `first`.
        public static let again = 3
    }

    /// Whether it is a read that watches.
    @inlinable public var isWatching: Bool {
        b != 0 && (kind == .read || kind == .load || kind == .semaphoreValue)
    }

    /// A deadline that never passes.
    public static let never = Int.max
}
