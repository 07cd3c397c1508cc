import CLab
import CPthread
import Glibc
import Machine
import Trace

/// Read-write locks of native runs.
extension NativeRuntime {
    /// Takes the lock for reading.
    ///
    /// - Parameter deadline: `Operation.never` for a call without a time limit.
    /// - Returns: 1 if the lock was acquired, 0 if the deadline passed.
    func readLock(_ storage: NativeStorage, until deadline: Int, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        let isAttempt = deadline != Operation.never
        if tryToRead(storage) {
            try acquiredToRead(storage, isAttempt: isAttempt, me, site)
            return 1
        }
        if isWriter(storage, me) { throw misuse(.relock, storage.id, me, site) }
        return try blockOnLock(storage, until: deadline, wait: .readWait, me, site) { end in
            clab_read_lock_until(storage.lock, Int64(end))
        } acquired: {
            try acquiredToRead(storage, isAttempt: isAttempt, me, site)
        }
    }

    func tryReadLock(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        guard tryToRead(storage) else {
            me.record(.lockBusy, storage.id, 0, site)
            return 0
        }
        try acquiredToRead(storage, isAttempt: true, me, site)
        return 1
    }

    /// Takes the lock for writing. Parameters and result are those of `readLock`.
    func writeLock(
        _ storage: NativeStorage, until deadline: Int, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        let isAttempt = deadline != Operation.never
        if tryToWrite(storage) {
            try acquiredToWrite(storage, isAttempt: isAttempt, me, site)
            return 1
        }
        if isWriter(storage, me) { throw misuse(.relock, storage.id, me, site) }
        storage.object.pointee.waitingWriters.wrappingAdd(1, ordering: .sequentiallyConsistent)
        defer { storage.object.pointee.waitingWriters.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
        return try blockOnLock(storage, until: deadline, wait: .writeWait, me, site) { end in
            waitToWrite(storage, until: end)
        } acquired: {
            try acquiredToWrite(storage, isAttempt: isAttempt, me, site)
        }
    }

    func tryWriteLock(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        guard tryToWrite(storage) else {
            me.record(.lockBusy, storage.id, 0, site)
            return 0
        }
        try acquiredToWrite(storage, isAttempt: true, me, site)
        return 1
    }

    /// Releases the lock.
    ///
    /// - Returns: 1 if the thread held it for writing, 0 if for reading.
    func unlockShared(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        let isWriter = self.isWriter(storage, me)
        if isWriter {
            me.record(.writeRelease, storage.id, 0, site)
            storage.object.pointee.owner.store(0, ordering: .relaxed)
        } else if me.removeReadHold(storage.id) {
            me.record(.readRelease, storage.id, 0, site)
            storage.object.pointee.users.wrappingSubtract(1, ordering: .relaxed)
        } else if hasEnded {
            return 0
        } else {
            throw misuse(.unlockNotOwner, storage.id, me, site)
        }
        check(pthread_rwlock_unlock(storage.lock), "pthread_rwlock_unlock")
        return isWriter ? 1 : 0
    }

    /// Keeps a lock for reading that the thread holds for writing. POSIX cannot do that: another writer may get the
    /// lock between the unlock and the next lock. Such a writer sees that a downgrade is in progress, and releases the
    /// lock before its program learns that it had it.
    func downgrade(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        guard isWriter(storage, me) else {
            if hasEnded { return 0 }
            throw misuse(.unlockNotOwner, storage.id, me, site)
        }
        let object = storage.object
        me.record(.lockDowngrade, storage.id, 0, site)
        object.pointee.users.wrappingAdd(Self.downgradeInProgress, ordering: .sequentiallyConsistent)
        object.pointee.owner.store(0, ordering: .relaxed)
        check(pthread_rwlock_unlock(storage.lock), "pthread_rwlock_unlock")
        defer { object.pointee.users.wrappingSubtract(Self.downgradeInProgress, ordering: .sequentiallyConsistent) }
        _ = try block(until: Operation.never) { end in clab_read_lock_until(storage.lock, Int64(end)) }
        me.addReadHold(storage.id)
        object.pointee.users.wrappingAdd(1, ordering: .relaxed)
        return 0
    }

    /// What a downgrade in progress adds to `users`, which otherwise is the number of read holds.
    private static var downgradeInProgress: Int { 1 << 32 }

    private func isBeingDowngraded(_ storage: NativeStorage) -> Bool {
        storage.object.pointee.users.load(ordering: .sequentiallyConsistent) >= Self.downgradeInProgress
    }

    private func tryToWrite(_ storage: NativeStorage) -> Bool {
        guard pthread_rwlock_trywrlock(storage.lock) == 0 else { return false }
        if !isBeingDowngraded(storage) { return true }
        pthread_rwlock_unlock(storage.lock)
        return false
    }

    /// Waits until the thread has the lock for writing and no downgrade is in progress.
    ///
    /// - Returns: 0, or an error code.
    private func waitToWrite(_ storage: NativeStorage, until end: Int) -> Int32 {
        while true {
            let code = clab_write_lock_until(storage.lock, Int64(end))
            if code != 0 || !isBeingDowngraded(storage) { return code }
            pthread_rwlock_unlock(storage.lock)
            // Spinning is short: the downgrading thread only waits for writers that got the lock in between, and each
            // of them releases it at once, as here.
            while isBeingDowngraded(storage) {
                if NativeTime.now >= end { return ETIMEDOUT }
                sched_yield()
            }
        }
    }

    private func isWriter(_ storage: NativeStorage, _ me: NativeThread) -> Bool {
        storage.object.pointee.owner.load(ordering: .relaxed) == me.asOwner
    }

    /// Tries to take the lock for reading. A blocked writer makes repeated calls with short time limits. Between two of
    /// them POSIX does not know that a writer waits, and would let readers in. So the runtime itself keeps readers out
    /// of a lock that prefers writers.
    private func tryToRead(_ storage: NativeStorage) -> Bool {
        if storage.kind == .writersFirstLock,
            storage.object.pointee.waitingWriters.load(ordering: .sequentiallyConsistent) > 0
        {
            return false
        }
        return pthread_rwlock_tryrdlock(storage.lock) == 0
    }

    /// Blocks until `attempt` succeeds or the deadline passes. Records the wait and, if the deadline passes, that too.
    ///
    /// - Parameter acquired: called after a successful attempt, to record that.
    /// - Returns: 1 if the lock was acquired, 0 if the deadline passed.
    private func blockOnLock(
        _ storage: NativeStorage, until deadline: Int, wait: EventKind, _ me: NativeThread, _ site: SourceSite,
        _ attempt: (Int) -> Int32, acquired: () throws -> Void
    ) throws -> Int {
        if deadline != Operation.never && deadline <= now {
            me.record(.lockTimeout, storage.id, 0, site)
            return 0
        }
        me.recordWait(wait, storage.id, until: deadline, site)
        guard try block(until: deadline, attempt) else {
            me.record(.lockTimeout, storage.id, 0, site)
            return 0
        }
        try acquired()
        return 1
    }

    /// Lets the thread keep the lock that it has just acquired, unless the run has ended: then releases it and throws.
    /// Threads release their locks at the end, and a thread that gets one because of that must not continue.
    private func keep(_ storage: NativeStorage) throws {
        guard hasEnded else { return }
        pthread_rwlock_unlock(storage.lock)
        throw RunEnded.interruption
    }

    private func acquiredToRead(
        _ storage: NativeStorage, isAttempt: Bool, _ me: NativeThread, _ site: SourceSite
    ) throws {
        try keep(storage)
        me.addReadHold(storage.id)
        storage.object.pointee.users.wrappingAdd(1, ordering: .relaxed)
        let ticket = storage.object.pointee.sharedTicket.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        if isAttempt { me.record(.threadTry, 0, 0, site) }
        me.record(.readAcquire, storage.id, ticket, site)
    }

    private func acquiredToWrite(
        _ storage: NativeStorage, isAttempt: Bool, _ me: NativeThread, _ site: SourceSite
    ) throws {
        try keep(storage)
        storage.object.pointee.owner.store(me.asOwner, ordering: .relaxed)
        let ticket = storage.object.pointee.sharedTicket.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
        if isAttempt { me.record(.threadTry, 0, 0, site) }
        me.record(.writeAcquire, storage.id, ticket, site)
    }
}
