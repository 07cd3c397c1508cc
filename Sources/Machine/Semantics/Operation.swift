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
        /// Waits until something that the thread watches has been written; then like `first`. The only one that is
        /// negative: announcing an operation tests no more than that.
        package static let again = Int.min
        /// Added to one of these: the thread keeps its processor busy while it waits. If no thread can continue, it is
        /// not a deadlock but a livelock.
        package static let spinning = 16

        /// Added to one of these, for an `await` that needs only this read: it ends if the value compares like this with
        /// the first argument.
        package static func until(_ comparison: Comparison) -> Int { Int(comparison.rawValue) << 8 }
    }

    /// How an `await` compares what it reads.
    package enum Comparison: UInt8, Sendable, BitwiseCopyable {
        case equal = 1
        case notEqual, less, lessOrEqual, greater, greaterOrEqual

        package func holds(_ value: Int, _ other: Int) -> Bool {
            switch self {
            case .equal: value == other
            case .notEqual: value != other
            case .less: value < other
            case .lessOrEqual: value <= other
            case .greater: value > other
            case .greaterOrEqual: value >= other
            }
        }
    }

    /// Whether it is a read that watches.
    package var isWatching: Bool { b != 0 && kind.isLook }

    /// Whether it is a read in a loop that keeps the processor busy.
    package var isSpinning: Bool { isWatching && b & Watch.spinning != 0 }

    /// For the only read of an `await`: how it compares the value with the first argument. Nil: it is another operation,
    /// or the comparison is not known.
    package var awaited: Comparison? {
        isWatching ? Comparison(rawValue: UInt8(truncatingIfNeeded: b >> 8 & 7)) : nil
    }

    /// A deadline that never passes.
    package static let never = Int.max

    /// The last moment of a run's clock, about 292 years after the run began.
    package static let latest = never - 1

    /// The deadline of a sleep, or of a wait with a limit. It always passes: one that would be after the clock's last
    /// moment passes then.
    ///
    /// - Parameter duration: not negative.
    package static func deadline(_ duration: Int, after now: Int) -> Int {
        let (deadline, isTooLate) = now.addingReportingOverflow(duration)
        return isTooLate ? latest : min(deadline, latest)
    }
}
