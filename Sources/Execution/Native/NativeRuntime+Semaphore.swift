import CLab
import CPthread
import Glibc
import Machine
import Trace

/// Semaphores of native runs.
extension NativeRuntime {
    /// Takes a permit, and waits for one until the deadline. Returns 1 if it was taken, 0 if the deadline passed.
    func semaphoreWait(
        _ storage: NativeStorage, until deadline: Int, _ me: NativeThread, _ site: SourceSite
    ) throws -> Int {
        try checkRunning()
        if try take(storage, me, site) { return 1 }
        if deadline != Operation.never && deadline <= now {
            me.record(.semaphoreTimeout, storage.id, 0, site)
            return 0
        }
        me.recordWait(.semaphoreWait, storage.id, until: deadline, site)
        let object = storage.object
        object.pointee.users.wrappingAdd(1, ordering: .relaxed)
        let code = posixWait(storage, until: deadline)
        object.pointee.users.wrappingSubtract(1, ordering: .relaxed)
        // At the end of the run, posts wake all threads. They are not acquisitions.
        try checkRunning()
        me.record(code == 0 ? .semaphoreAcquire : .semaphoreTimeout, storage.id, 0, site)
        return code == 0 ? 1 : 0
    }

    func semaphoreTryWait(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        try checkRunning()
        if try take(storage, me, site) { return 1 }
        me.record(.semaphoreBusy, storage.id, 0, site)
        return 0
    }

    /// Takes a permit if there is one.
    private func take(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Bool {
        while sem_trywait(storage.semaphore) != 0 {
            if errno == EAGAIN { return false }
            if errno != EINTR { check(errno, "sem_trywait") }
        }
        try checkRunning()
        me.record(.semaphoreAcquire, storage.id, 0, site)
        return true
    }

    /// Waits in one call, unless a signal interrupts it, and not in intervals (`block`): the end of the run posts.
    ///
    /// - Returns: 0, or `ETIMEDOUT`.
    private func posixWait(_ storage: NativeStorage, until deadline: Int) -> Int32 {
        let absolute = self.absolute(deadline)
        while true {
            let code =
                absolute == Operation.never
                ? (sem_wait(storage.semaphore) == 0 ? 0 : errno)
                : clab_semaphore_wait_until(storage.semaphore, Int64(absolute))
            switch code {
            case 0, ETIMEDOUT: return code
            case EINTR: if hasEnded { return 0 }
            default: check(code, "sem_wait")
            }
        }
    }

    func semaphoreSignal(_ storage: NativeStorage, _ me: NativeThread, _ site: SourceSite) throws -> Int {
        // Checked beforehand, because the event precedes the post, and a refused signal must have no event.
        if value(of: storage) >= Int(Int32.max) {
            if hasEnded { return 0 }
            throw misuse(.semaphoreOverflow, storage.id, me, site)
        }
        me.record(.semaphoreSignal, storage.id, 0, site)
        if sem_post(storage.semaphore) == 0 { return 0 }
        guard errno == EOVERFLOW else {
            check(errno, "sem_post")
            return 0
        }
        throw misuse(.semaphoreOverflow, storage.id, me, site)
    }

    /// The number of permits.
    func value(of storage: NativeStorage) -> Int {
        var value: Int32 = 0
        checkErrno(sem_getvalue(storage.semaphore, &value), "sem_getvalue")
        return Int(value)
    }
}
