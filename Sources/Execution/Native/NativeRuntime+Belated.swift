import CPthread
import Glibc
import Machine
import Trace

/// What a `deinit` gets that comes too late. Other threads may be leaving at the same time, so locks are real, and so is
/// memory; nothing is waited for.
extension NativeRuntime {
    /// What comes before an operation, or in place of it, if something is special (`RunSigns`): the thread's hooks, or the
    /// end of the run.
    ///
    /// - Returns: the operation's result, if it is not to be taken any more.
    @inline(never)
    func beforehand(_ operation: Operation, on target: RuntimeObject, _ me: NativeThread) throws -> Int? {
        if signs.have(.hooks) { try callHooks(me) }
        guard hasEnded, !operation.kind.isRelease, Belated.isDeinit else { return nil }
        switch operation.kind {
        case .lock, .tryLock, .lockUntil: return try lockBelatedly(NativeStorage(target), me)
        case .readLock, .tryReadLock, .readLockUntil:
            let storage = NativeStorage(target)
            try wait(for: storage, me) { pthread_rwlock_tryrdlock(storage.lock) }
            me.addReadHold(storage.id)
            storage.object.pointee.users.wrappingAdd(1, ordering: .relaxed)
        case .writeLock, .tryWriteLock, .writeLockUntil:
            let storage = NativeStorage(target)
            try wait(for: storage, me) { pthread_rwlock_trywrlock(storage.lock) }
            storage.object.pointee.owner.store(me.mark, ordering: .relaxed)
        case .load, .store, .exchange, .add, .bitAnd, .bitOr, .bitXor, .compareExchange, .read, .write, .append,
            .semaphoreValue:
            return access(NativeStorage(target), operation, me, .unknown)
        case .start, .exit, .inspect, .readClock, .spawn, .join, .tryJoin, .joinUntil, .detach, .yield, .sleepUntil,
            .unlock, .wait, .signal, .broadcast, .semaphoreWait, .semaphoreTryWait, .semaphoreWaitUntil,
            .semaphoreSignal, .unlockShared, .destroy, .choose:
            var word = 0
            return try operation.belatedResult(&word)
        }
        return Mutexes.Locked.taken
    }

    private func lockBelatedly(_ storage: NativeStorage, _ me: NativeThread) throws -> Int {
        try wait(for: storage, me) { pthread_mutex_trylock(storage.mutex) }
        storage.books.pointee.depth = max(storage.books.pointee.depth, 0)
        if storage.books.pointee.depth == 0 { storage.object.pointee.owner.store(me.mark, ordering: .relaxed) }
        storage.books.pointee.depth += 1
        return Mutexes.Locked.taken
    }

    /// A thread that leaves releases what it holds. One that does not leave is not waited for any longer than at the end
    /// of the run.
    ///
    /// - Throws: `RunEnded`. It is also thrown if the thread holds the lock itself.
    private func wait(for storage: NativeStorage, _ me: NativeThread, _ attempt: () -> Int32) throws {
        var clock = OwnClock()
        while attempt() != 0 {
            let isMine = storage.object.pointee.owner.load(ordering: .relaxed) == me.mark
            if isMine || clock.time >= options.grace { throw RunEnded.error }
            usleep(100)
            clock.read(registry.kernelNumbersOfOthers)
        }
    }
}
