import CPthread
import Glibc
import Machine
import Trace

/// Mutexes and conditions of native runs.
extension NativeRuntime {
    /// Locks a mutex, and waits for it until the deadline. Returns one of `Mutexes.Locked`.
    @inline(__always)
    func lock(_ storage: NativeStorage, until deadline: Int, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        if pthread_mutex_trylock(storage.mutex) == 0 {
            return try acquired(storage, isAttempt: deadline != Operation.never, me, site)
        }
        try checkRunning()
        return try lockSlowly(storage, until: deadline, me, site)
    }

    /// Blocks until the mutex is free, after an attempt has failed.
    @inline(never)
    private func lockSlowly(
        _ storage: NativeStorage, until deadline: Int, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        let isMine = storage.object.pointee.owner.load(ordering: .relaxed) == me.asOwner
        if storage.kind == .errorCheckingMutex && isMine { throw misuse(.relock, storage.id, me, site) }
        if deadline != Operation.never && deadline <= now {
            me.record(.mutexTimeout, storage.id, 0, site)
            return Mutexes.Locked.busy
        }
        // A normal mutex that the thread already holds blocks it forever, as POSIX demands.
        me.recordWait(.mutexWait, storage.id, until: deadline, site)
        var isRelock = false
        let succeeded = try block(until: deadline) { end in
            var time = NativeTime.timespec(end)
            let code = cpthread_mutex_clocklock(storage.mutex, &time)
            isRelock = code == EDEADLK
            return isRelock ? 0 : code
        }
        if isRelock { throw misuse(.relock, storage.id, me, site) }
        if succeeded { return try acquired(storage, isAttempt: deadline != Operation.never, me, site) }
        me.record(.mutexTimeout, storage.id, 0, site)
        return Mutexes.Locked.busy
    }

    /// Locks a mutex if it is free. Returns one of `Mutexes.Locked`.
    @inline(__always)
    func tryLock(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        if pthread_mutex_trylock(storage.mutex) == 0 { return try acquired(storage, isAttempt: true, me, site) }
        try checkRunning()
        me.record(.mutexBusy, storage.id, 0, site)
        return Mutexes.Locked.busy
    }

    /// Completes the acquisition of the mutex, unless the mutex is unusable.
    ///
    /// - Parameter isAttempt: whether the call was an attempt, or had a time limit.
    /// - Returns: one of `Mutexes.Locked`.
    @inline(__always)
    private func acquired(
        _ storage: NativeStorage, isAttempt: Bool, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        // Threads release what they hold at the end of the run. A thread that gets a mutex because of that must not
        // continue.
        if hasEnded {
            pthread_mutex_unlock(storage.mutex)
            throw RunEnded.interruption
        }
        // The depth of a free mutex is 0, or the negative mark that a thread has left.
        let mark = min(storage.books.pointee.depth, 0)
        if mark == ObjectState.Mark.unusable {
            pthread_mutex_unlock(storage.mutex)
            return Mutexes.Locked.never
        }
        if storage.books.pointee.depth <= 0 {
            storage.object.pointee.owner.store(me.asOwner, ordering: .relaxed)
            storage.books.pointee.ticket += 1
            storage.books.pointee.depth = 0
        }
        storage.books.pointee.depth += 1
        if isAttempt { me.record(.threadTry, 0, 0, site) }
        me.record(.mutexAcquire, storage.id, storage.books.pointee.ticket, site)
        return mark == 0 ? Mutexes.Locked.taken : Mutexes.Locked.ownerDied
    }

    /// Unlocks the mutex. Returns 0, the result of the operation.
    ///
    /// - Parameter mark: a value of `ObjectState.Mark` to leave on the mutex.
    @inline(__always)
    func unlock(_ storage: NativeStorage, mark: Int, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        let object = storage.object
        guard object.pointee.owner.load(ordering: .relaxed) == me.asOwner else {
            // The end of the run may already have released it (`releaseLocks`).
            if hasEnded { return 0 }
            throw misuse(.unlockNotOwner, storage.id, me, site)
        }
        me.record(mark == ObjectState.Mark.ownerDied ? .mutexAbandon : .mutexRelease, storage.id, 0, site)
        storage.books.pointee.depth += Int32(truncatingIfNeeded: mark) - 1
        if storage.books.pointee.depth <= 0 { object.pointee.owner.store(0, ordering: .relaxed) }
        check(pthread_mutex_unlock(storage.mutex), "pthread_mutex_unlock")
        return 0
    }

    // MARK: - Conditions

    /// Waits for the condition until the deadline. Returns 1 if the thread was woken, 0 if the deadline passed.
    func wait(
        _ storage: NativeStorage, with mutex: RuntimeObject?, until deadline: Int, _ me: NativeThread,
        _ site: SourceSite
    ) throws -> Int {
        try checkRunning()
        guard let mutex else { preconditionFailure("a wait needs a mutex") }
        let lock = NativeStorage(mutex)
        guard lock.object.pointee.owner.load(ordering: .relaxed) == me.asOwner else {
            throw misuse(.waitNotOwner, storage.id, me, site)
        }
        let waiters = ConditionWaiters(storage.object)
        guard waiters.enter(with: mutex.id) else { throw misuse(.waitOtherMutex, storage.id, me, site) }
        me.recordWait(.conditionWait, storage.id, Int(mutex.id), until: deadline, site)
        me.waitMutex.store(mutex.id, ordering: .releasing)
        giveUp(lock)
        let code = posixWait(storage, lock, until: deadline)
        takeAgain(lock, me)
        me.waitMutex.store(0, ordering: .releasing)
        waiters.leave(timedOut: code == ETIMEDOUT)
        try checkRunning()
        let isTimeout = code == ETIMEDOUT
        // Two numbers in one value: the mutex, and the number of its acquisition. The reader of the recording separates
        // them, and orders acquisitions by their numbers.
        let value = Int(mutex.id) | (lock.books.pointee.ticket & 0x7FFF_FFFF) << 32
        me.record(isTimeout ? .conditionTimeout : .conditionWake, storage.id, value, site)
        return isTimeout ? 0 : 1
    }

    /// Counts the release of the mutex by the wait. The wait unlocks once, as in POSIX: a recursive mutex that is
    /// locked twice stays locked.
    private func giveUp(_ lock: NativeStorage) {
        lock.books.pointee.depth -= 1
        if lock.books.pointee.depth == 0 { lock.object.pointee.owner.store(0, ordering: .relaxed) }
    }

    /// Counts the acquisition of the mutex at the end of the wait.
    private func takeAgain(_ lock: NativeStorage, _ me: NativeThread) {
        if lock.books.pointee.depth == 0 {
            lock.object.pointee.owner.store(me.asOwner, ordering: .relaxed)
            lock.books.pointee.ticket += 1
        }
        lock.books.pointee.depth += 1
    }

    /// Waits in one uninterrupted call, because a signal between two shorter ones would find no waiter. The end of the
    /// run broadcasts.
    private func posixWait(_ storage: NativeStorage, _ lock: NativeStorage, until deadline: Int) -> Int32 {
        let absolute = self.absolute(deadline)
        if absolute == Operation.never { return pthread_cond_wait(storage.condition, lock.mutex) }
        var time = NativeTime.timespec(absolute)
        let code = cpthread_cond_clockwait(storage.condition, lock.mutex, &time)
        if code != 0 && code != ETIMEDOUT { check(code, "pthread_cond_clockwait") }
        return code
    }

    func signal(
        _ storage: NativeStorage, toAll: Bool, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        me.record(toAll ? .conditionBroadcast : .conditionSignal, storage.id, 0, site)
        let waiters = ConditionWaiters(storage.object)
        if toAll {
            waiters.wakeAll()
            check(pthread_cond_broadcast(storage.condition), "pthread_cond_broadcast")
        } else {
            waiters.wakeOne()
            check(pthread_cond_signal(storage.condition), "pthread_cond_signal")
        }
        return 0
    }
}
