import Trace

/// What a thread asks of the machine, such as locking a mutex or reading a cell. The thread announces an operation, and
/// takes it when it is chosen: that is a step. Code between two operations is not visible to other threads.
///
/// Each kind has a row (`Row`), which says what does not depend on the state, and a rule, which says what the operation
/// does in a given state. Both are in the file of its primitive: `Mutexes`, `Conditions`, `Semaphores`,
/// `ReadWriteLocks`, `Threads`, `Memory`, `Clock`, `Process`.
package struct Operation: Equatable, Sendable, BitwiseCopyable {
    package enum Kind: UInt8, Sendable, BitwiseCopyable {
        // The order matters: kinds on an object come last, from `lock` on (`isOnObject`), and those on atomics are
        // `load` to `weakCompareExchange` (`isOnAtomic`).
        case start, exit, inspect, readClock
        case spawn, join, tryJoin, joinUntil, detach, yield, sleepUntil, fence
        case lock, tryLock, lockUntil, unlock
        case wait, signal, broadcast
        case semaphoreWait, semaphoreTryWait, semaphoreWaitUntil, semaphoreSignal, semaphoreValue
        case readLock, tryReadLock, readLockUntil, writeLock, tryWriteLock, writeLockUntil, unlockShared
        case load, store, exchange, add, bitAnd, bitOr, bitXor, compareExchange
        /// May fail though it finds the expected value.
        case weakCompareExchange
        case read, write
        case append
        case destroy
        case choose
        case downgrade
    }

    package var kind: Kind
    /// The memory orders of an operation on an atomic, or of a fence.
    package var orders = Orders()
    /// The object concerned, or 0. For a spawn, join or detach: the seat of the thread, if it has one.
    package var object: UInt32
    /// The first argument: a value, a bound, a thread, the mutex of a wait, or the mark that an unlock leaves
    /// (`ObjectState.Mark`). For a sleep, its intended duration.
    package var a: Int
    /// The second argument: a deadline in nanoseconds, the value that a compare-exchange stores, the width of an
    /// addition (`narrow`), or how a read watches (`Watch`).
    package var b: Int

    package init(
        _ kind: Kind, _ object: UInt32 = 0, _ a: Int = 0, _ b: Int = 0, orders: Orders = Orders()
    ) {
        self.kind = kind
        self.orders = orders
        self.object = object
        self.a = a
        self.b = b
    }

    /// The deadline of an operation without a time limit.
    package static let never = Int.max

    /// The last moment of a run's clock, about 292 years after the run began.
    package static let latest = never - 1
}

extension Operation.Kind {
    /// Whether the operation stores its second argument only if it finds the first.
    package var isCompareExchange: Bool { self == .compareExchange || self == .weakCompareExchange }

    /// What all operations of the kind have in common.
    @inline(always) package var row: Operation.Row {
        switch self {
        case .start: Process.start
        case .exit: Process.exit
        case .inspect: Process.inspect
        case .yield: Process.yield
        case .choose: Process.choose
        case .destroy: Process.destroy
        case .readClock: Clock.readClock
        case .sleepUntil: Clock.sleepUntil
        case .spawn: Threads.spawn
        case .join: Threads.join
        case .tryJoin: Threads.tryJoin
        case .joinUntil: Threads.joinUntil
        case .detach: Threads.detach
        case .lock: Mutexes.lock
        case .tryLock: Mutexes.tryLock
        case .lockUntil: Mutexes.lockUntil
        case .unlock: Mutexes.unlock
        case .wait: Conditions.wait
        case .signal: Conditions.signal
        case .broadcast: Conditions.broadcast
        case .semaphoreWait: Semaphores.wait
        case .semaphoreTryWait: Semaphores.tryWait
        case .semaphoreWaitUntil: Semaphores.waitUntil
        case .semaphoreSignal: Semaphores.signal
        case .semaphoreValue: Semaphores.value
        case .readLock: ReadWriteLocks.readLock
        case .tryReadLock: ReadWriteLocks.tryReadLock
        case .readLockUntil: ReadWriteLocks.readLockUntil
        case .writeLock: ReadWriteLocks.writeLock
        case .tryWriteLock: ReadWriteLocks.tryWriteLock
        case .writeLockUntil: ReadWriteLocks.writeLockUntil
        case .unlockShared: ReadWriteLocks.unlock
        case .downgrade: ReadWriteLocks.downgrade
        case .load: Memory.reading(.load)
        case .read: Memory.reading(.read)
        case .store: Memory.writing(.store, .store)
        case .write: Memory.writing(.store, .write)
        case .exchange: Memory.writing(.store)
        case .add: Memory.writing(.add)
        case .bitAnd: Memory.writing(.bitAnd)
        case .bitOr: Memory.writing(.bitOr)
        case .bitXor: Memory.writing(.bitXor)
        case .compareExchange, .weakCompareExchange: Memory.writing(.compareExchange)
        case .fence: Memory.fence
        case .append: Memory.appending
        }
    }
}

/// What each operation means: when it can be taken, what it does, and what it returns. This is the only definition:
/// whether a thread is enabled, what a step changes and touches, what was possible at an earlier moment, and what a
/// blocked thread waits for are all derived from it.
package enum Rule {
    /// The ruling on a thread's next step.
    ///
    /// - Parameters:
    ///   - operation: the operation that the thread has announced, or the wait that it is in.
    ///   - status: how far the thread is with the operation.
    @inline(always) package static func ruling<C: TimedCircumstances>(
        _ operation: Operation, _ status: ThreadState.Status, of thread: Int, in now: C
    ) -> Ruling {
        let inTime = inTime(operation, status, of: thread, in: now)
        // Most rulings are on steps that can be taken, for which the time limit need not be examined.
        guard inTime.isBlocked || inTime.act.row.isWaiting, operation.kind.hasDeadline else { return inTime }
        return limited(inTime, operation, status, in: now)
    }

    /// The ruling if the operation's time limit, if any, has not passed.
    @inline(always) static func inTime<C: TimedCircumstances>(
        _ operation: Operation, _ status: ThreadState.Status, of thread: Int, in now: C
    ) -> Ruling {
        switch status {
        case .announced, .queued: announced(operation, isQueued: status == .queued, of: thread, in: now)
        case .waiting: Conditions.leaving(in: now)
        case .waking: Conditions.returning(operation, of: thread, in: now)
        // Such a thread takes no step, so the act does not matter.
        case .running, .ended: .blocked(.start)
        }
    }

    // MARK: - Time limits

    /// The ruling after the time limit has passed: an operation that still waits gives up. If limits may pass at any
    /// moment, giving up is an alternative to what the operation does in time (`ways`).
    ///
    /// The rules of primitives do not read the clock, so being late never removes a possibility that exists in time.
    ///
    /// - Parameter inTime: the ruling without the limit, according to which the operation is blocked or continues to
    ///   wait.
    @inline(never) private static func limited<C: TimedCircumstances>(
        _ inTime: Ruling, _ operation: Operation, _ status: ThreadState.Status, in now: C
    ) -> Ruling {
        switch status {
        case .running, .waking, .ended: return inTime
        case .announced, .queued, .waiting:
            guard now.isLate(operation.b), let late = operation.kind.row.late else { return inTime }
            return .done(late)
        }
    }

    /// The number of alternatives because of the time limit: two if the limit may pass now and the thread could also
    /// take a step in time. The first alternative is that the limit passes.
    @inline(never) static func ways<C: TimedCircumstances>(
        _ operation: Operation, _ status: ThreadState.Status, of thread: Int, in now: C
    ) -> Int {
        guard operation.kind.hasDeadline, now.mayTimeOut, operation.b != Operation.never else { return 1 }
        let inTime = inTime(operation, status, of: thread, in: now)
        return !inTime.isBlocked && inTime.act.row.isWaiting ? 2 : 1
    }

    // MARK: - In time

    /// The ruling on an announced operation by the rule of its primitive, without regard to time limits.
    ///
    /// - Parameter isQueued: whether the operation is a writer's that is in its lock's queue already.
    @inline(always) static func announced<C: TimedCircumstances>(
        _ operation: Operation, isQueued: Bool, of thread: Int, in now: C
    ) -> Ruling {
        switch operation.kind {
        case .lock, .tryLock, .lockUntil: Mutexes.lock(operation, of: thread, in: now)
        case .unlock: Mutexes.unlock(operation, of: thread, in: now)
        case .read: Memory.look(operation, .read, of: thread, in: now)
        case .load: Memory.look(operation, .load, of: thread, in: now)
        case .semaphoreValue: Memory.look(operation, .look, of: thread, in: now)
        case .write: .done(.write, word: operation.a)
        case .store: .done(.store, word: operation.a)
        case .exchange, .add, .bitAnd, .bitOr, .bitXor, .compareExchange, .weakCompareExchange:
            Memory.update(operation, in: now)
        case .semaphoreWait, .semaphoreTryWait, .semaphoreWaitUntil: Semaphores.wait(operation, in: now)
        case .semaphoreSignal: Semaphores.signal(operation, in: now)
        case .wait: Conditions.wait(operation, of: thread, in: now)
        case .signal: Conditions.signal(operation, .wakeOne, in: now)
        case .broadcast: Conditions.signal(operation, .wakeAll, in: now)
        case .start: .done(.start)
        case .yield: .done(.yield)
        case .choose: .done(.choose)
        case .exit: .done(.exit)
        case .inspect: .done(.inspect)
        case .readLock, .tryReadLock, .readLockUntil: ReadWriteLocks.readLock(operation, of: thread, in: now)
        case .writeLock, .tryWriteLock, .writeLockUntil:
            ReadWriteLocks.writeLock(operation, isQueued: isQueued, of: thread, in: now)
        case .unlockShared: ReadWriteLocks.unlock(operation, of: thread, in: now)
        case .downgrade: ReadWriteLocks.downgrade(operation, of: thread, in: now)
        case .spawn: Threads.spawn(operation, in: now)
        case .join, .tryJoin, .joinUntil: Threads.join(operation, of: thread, in: now)
        case .detach: Threads.detach(operation, in: now)
        case .sleepUntil: Clock.sleep
        case .readClock: .done(.readClock, now.time)
        case .append: Memory.append(operation, in: now)
        case .fence: .done(.fence)
        case .destroy: Process.destroy(operation, in: now)
        }
    }

    /// What the operation asks for is not available now: it fails, or waits.
    @inline(always) static func without(_ operation: Operation, wanting act: Act) -> Ruling {
        operation.kind.patience == .none ? .done(.fail) : .blocked(act)
    }
}
