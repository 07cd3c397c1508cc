import Trace

/// What each operation means: when it can be taken, what it does, and what it returns. Nothing else defines it: whether
/// a thread is enabled, what a step changes and touches, what could have been otherwise at an earlier moment, and what
/// a blocked thread waits for are all derived from it.
package enum Rule {
    /// The ruling on a thread's next step.
    ///
    /// - Parameters:
    ///   - operation: the operation that the thread has announced, or the wait that it is in.
    ///   - status: its progress with the operation.
    @inline(always) package static func ruling<C: Circumstances>(
        _ operation: Operation, _ status: ThreadState.Status, of thread: Int, in now: C
    ) -> Ruling {
        switch status {
        case .announced, .queued: announced(operation, isQueued: status == .queued, of: thread, in: now)
        case .waiting: leaving(operation, in: now)
        case .waking:
            isFree(now.object(UInt32(truncatingIfNeeded: operation.a)), for: thread)
                ? .done(.endWait) : .blocked(.endWait)
        case .running, .ended: .blocked(.start)
        }
    }

    @inline(always) static func announced<C: Circumstances>(
        _ operation: Operation, isQueued: Bool, of thread: Int, in now: C
    ) -> Ruling {
        switch operation.kind {
        case .lock, .tryLock, .lockUntil: return lock(operation, of: thread, in: now)
        case .unlock:
            let mutex = now.object(operation.object)
            return isOwn(mutex, thread)
                ? .done(.release, word: Int(mutex.count) - 1 + operation.a) : .misuse(.unlockNotOwner)
        case .read, .load, .semaphoreValue: return look(operation, of: thread, in: now)
        case .write: return .done(.write, word: operation.a)
        case .store: return .done(.store, word: operation.a)
        case .exchange, .add, .bitAnd, .bitOr, .bitXor, .compareExchange: return update(operation, in: now)
        case .semaphoreWait, .semaphoreTryWait, .semaphoreWaitUntil:
            if now.object(operation.object).value > 0 { return .done(.takePermit, 1) }
            return without(operation, wanting: .takePermit, in: now)
        case .semaphoreSignal:
            return now.object(operation.object).value < Int(Int32.max)
                ? .done(.givePermit) : .misuse(.semaphoreOverflow)
        case .wait: return wait(operation, of: thread, in: now)
        case .signal: return .done(now.object(operation.object).count > 0 ? .wakeOne : .signalNone)
        case .broadcast: return .done(now.object(operation.object).count > 0 ? .wakeAll : .signalNone)
        case .start: return .done(.start)
        case .yield: return .done(.yield)
        case .choose: return .done(.choose)
        case .exit: return .done(.exit)
        case .inspect: return .done(.inspect)
        default: return other(operation, isQueued: isQueued, of: thread, in: now)
        }
    }

    /// The less frequent ones.
    static func other<C: Circumstances>(
        _ operation: Operation, isQueued: Bool, of thread: Int, in now: C
    ) -> Ruling {
        switch operation.kind {
        case .readLock, .tryReadLock, .readLockUntil: return readLock(operation, of: thread, in: now)
        case .writeLock, .tryWriteLock, .writeLockUntil:
            return writeLock(operation, isQueued: isQueued, of: thread, in: now)
        case .unlockShared:
            if isOwn(now.object(operation.object), thread) { return .done(.releaseToWrite, 1) }
            return now.holdsToRead(operation.object, thread) ? .done(.unshare) : .misuse(.unlockNotOwner)
        case .spawn: return spawn(operation, in: now)
        case .join, .tryJoin, .joinUntil: return join(operation, of: thread, in: now)
        case .detach: return detach(operation, in: now)
        case .sleepUntil: return now.isLate(operation.b) ? .done(.awake) : .blocked(.awake)
        case .readClock: return .done(.readClock, now.time)
        case .append:
            let count = now.object(operation.object).value + 1
            return .done(.append, count, word: count)
        case .destroy: return now.isInUse(operation.object) ? .misuse(.destroyHeld) : .done(.destroy)
        default: preconditionFailure("an operation without a rule")
        }
    }

    // MARK: - Mutexes and conditions

    @inline(always) static func isOwn(_ object: ObjectState, _ thread: Int) -> Bool {
        object.owner == Int32(truncatingIfNeeded: thread + 1)
    }

    @inline(always) static func isFree(_ mutex: ObjectState, for thread: Int) -> Bool {
        mutex.owner == 0 || isOwn(mutex, thread)
    }

    /// What `lock`, `tryLock` and `lockUntil` return.
    package enum Locked {
        package static let busy = 0
        package static let taken = 1
        /// It is acquired; the thread that held it before ended without releasing it.
        package static let ownerDied = 2
        package static let never = 3
    }

    @inline(always) static func lock<C: Circumstances>(
        _ operation: Operation, of thread: Int, in now: C
    ) -> Ruling {
        let mutex = now.object(operation.object)
        if mutex.owner == 0 {
            switch Int(mutex.count) {
            case ObjectState.Mark.ownerDied: return .done(.take, Locked.ownerDied, word: 1)
            case ObjectState.Mark.unusable: return .done(.fail, Locked.never)
            default: return .done(.take, Locked.taken, word: 1)
            }
        }
        if isOwn(mutex, thread) {
            if mutex.kind == .recursiveMutex { return .done(.takeAgain, 1) }
            if mutex.kind == .errorCheckingMutex && operation.kind != .tryLock { return .misuse(.relock) }
        }
        return without(operation, wanting: .take, in: now)
    }

    static func wait<C: Circumstances>(
        _ operation: Operation, of thread: Int, in now: C
    ) -> Ruling {
        guard isOwn(now.object(UInt32(truncatingIfNeeded: operation.a)), thread) else { return .misuse(.waitNotOwner) }
        let condition = now.object(operation.object)
        guard condition.count == 0 || condition.value == operation.a else { return .misuse(.waitOtherMutex) }
        return .done(.beginWait)
    }

    /// A wait that no signal has ended can time out, or end spuriously.
    static func leaving<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        if now.isLate(operation.b) { return .done(.leaveLate) }
        return now.mayWakeSpuriously ? .done(.leaveEarly) : .blocked(.leaveLate)
    }

    /// What the operation asks for is not available now: it fails, or waits, or has waited long enough.
    @inline(always) static func without<C: Circumstances>(
        _ operation: Operation, wanting act: Act, in now: C
    ) -> Ruling {
        switch operation.kind.patience {
        case .none: .done(.fail)
        case .limited where now.isLate(operation.b): .done(.failLate)
        default: .blocked(act)
        }
    }

    // MARK: - Read-write locks

    /// With readers first (glibc's default) only a writer keeps a reader out; with writers first a waiting one does
    /// too.
    static func readLock<C: Circumstances>(
        _ operation: Operation, of thread: Int, in now: C
    ) -> Ruling {
        if now.letsReadersIn(operation.object) { return .done(.share, 1) }
        if operation.kind != .tryReadLock && isOwn(now.object(operation.object), thread) { return .misuse(.relock) }
        return without(operation, wanting: .share, in: now)
    }

    static func writeLock<C: Circumstances>(
        _ operation: Operation, isQueued: Bool, of thread: Int, in now: C
    ) -> Ruling {
        let lock = now.object(operation.object)
        if lock.owner == 0 && lock.count == 0 { return .done(.takeToWrite, 1) }
        if operation.kind == .tryWriteLock { return .done(.failToWrite) }
        if isOwn(lock, thread) { return .misuse(.relock) }
        if operation.kind == .writeLockUntil && now.isLate(operation.b) { return .done(.failToWriteLate) }
        return !isQueued && lock.kind == .writersFirstLock ? .done(.queue) : .blocked(.takeToWrite)
    }

    // MARK: - Memory

    /// A watching read is repeated only after something that the thread watches has been written.
    @inline(always) static func look<C: Circumstances>(
        _ operation: Operation, of thread: Int, in now: C
    ) -> Ruling {
        let act: Act =
            switch operation.kind {
            case .read: .read
            case .load: .load
            default: .look
            }
        if operation.isRenewedLook && !now.isStirred(thread) { return .blocked(act) }
        return .done(act, now.object(operation.object).value)
    }

    /// Whether the read would find that the condition of its `await` is false. It can be taken nevertheless; it changes
    /// nothing, and the thread then waits for a change.
    static func failsAwait<C: Circumstances>(_ operation: Operation, in now: C) -> Bool {
        guard let comparison = operation.awaited else { return false }
        return !comparison.holds(now.object(operation.object).value, operation.a)
    }

    @inline(always) static func update<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        let old = now.object(operation.object).value
        switch operation.kind {
        case .exchange: return .done(.update, old, word: operation.a)
        case .add: return .done(.update, old, word: old &+ operation.a)
        case .bitAnd: return .done(.update, old, word: old & operation.a)
        case .bitOr: return .done(.update, old, word: old | operation.a)
        case .bitXor: return .done(.update, old, word: old ^ operation.a)
        default: return old == operation.a ? .done(.update, old, word: operation.b) : .done(.mismatch, old)
        }
    }

    // MARK: - Threads

    /// A declared thread has a seat: an object that holds the thread's number plus one once the thread has been
    /// started.
    static func spawn<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        operation.object == 0 || now.object(operation.object).value == 0 ? .done(.spawn, 1) : .done(.fail)
    }

    /// Returns whether the target was joined. A join through an empty seat fails, with −1 if it has a time limit: 0 says
    /// that the time is over.
    static func join<C: Circumstances>(
        _ operation: Operation, of thread: Int, in now: C
    ) -> Ruling {
        guard let target = target(of: operation, in: now) else {
            return .done(.fail, operation.kind == .joinUntil ? -1 : 0)
        }
        if target == thread { return .misuse(.joinSelf) }
        switch now.life(of: target) {
        case .detached: return .misuse(.joinDetached)
        case .joined: return .misuse(.joinTwice)
        case .ended: return .done(.join, 1)
        case .alive: break
        }
        switch operation.kind.patience {
        case .none: return .done(.findAlive)
        case .limited where now.isLate(operation.b): return .done(.joinLate)
        default: return .blocked(.join)
        }
    }

    static func detach<C: Circumstances>(_ operation: Operation, in now: C) -> Ruling {
        guard let target = target(of: operation, in: now) else { return .done(.fail) }
        switch now.life(of: target) {
        case .joined: return .misuse(.detachJoined)
        case .detached: return .misuse(.detachTwice)
        case .alive, .ended: return .done(.detach, 1)
        }
    }

    /// The thread that the operation concerns. Nil: its seat is empty.
    package static func target<C: Circumstances>(of operation: Operation, in now: C) -> Int? {
        if operation.object == 0 { return operation.a }
        let seat = now.object(operation.object).value
        return seat == 0 ? nil : seat - 1
    }
}
