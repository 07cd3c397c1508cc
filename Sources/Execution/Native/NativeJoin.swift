import CLab
import CPthread
import Glibc
import Machine
import Synchronization
import Trace

/// Decides which thread may join another. In POSIX, joining a thread twice, at the same time or one after the other, is
/// undefined.
extension NativeThread {
    /// What became of an attempt to join. `notYet`: the thread has not ended, or another thread is joining it or wants
    /// to detach it.
    enum JoinOutcome: Equatable {
        case joined, notYet
        case refused(MisuseKind)
    }

    /// Joins if that is possible at once.
    ///
    /// - Parameter mainExit: the semaphore that is posted when the main thread's body is over.
    func tryJoin(mainExit: UnsafeMutablePointer<sem_t>) -> JoinOutcome {
        if index == 0 {
            guard sem_trywait(mainExit) == 0 else { return refusal ?? .notYet }
            return claimMain(mainExit)
        }
        switch claim() {
        case .joined:
            let code = cpthread_tryjoin(handle, nil)
            joining.store(code == 0 ? .joined : .joinable, ordering: .releasing)
            if code != 0 && code != EBUSY { check(code, "pthread_tryjoin_np") }
            return code == 0 ? .joined : .notYet
        case let other: return other
        }
    }

    /// Joins, and blocks until a time on the monotonic clock, in nanoseconds, at the latest. It may return `notYet`
    /// earlier: `NativeRuntime.block` tries again.
    ///
    /// - Parameter mainExit: the semaphore that is posted when the main thread's body is over.
    func join(until end: Int, mainExit: UnsafeMutablePointer<sem_t>) -> JoinOutcome {
        if index == 0 {
            if let refusal { return refusal }
            return clab_semaphore_wait_until(mainExit, Int64(end)) == 0 ? claimMain(mainExit) : .notYet
        }
        switch claim() {
        case .joined:
            let code = clab_join_until(handle, Int64(end))
            joining.store(code == 0 ? .joined : .joinable, ordering: .releasing)
            if code == 0 { return .joined }
            // glibc refuses this if two threads join each other. Here they wait, as in a longer cycle, so that the
            // deadlock is detected and explained.
            if code == EDEADLK {
                var time = NativeTime.timespec(end)
                clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil)
            } else if code != ETIMEDOUT && code != EINTR {
                check(code, "pthread_clockjoin_np")
            }
            return .notYet
        case .notYet:
            // Another thread is joining it, or wants to detach it.
            usleep(500)
            return .notYet
        case let refused: return refused
        }
    }

    /// Why the thread can never be joined. Nil if it may still be.
    private var refusal: JoinOutcome? {
        switch joining.load(ordering: .acquiring) {
        case .detached: .refused(.joinDetached)
        case .joined: .refused(.joinTwice)
        default: nil
        }
    }

    /// Claims the right to join. The result `joined` means only that the caller has the right.
    private func claim() -> JoinOutcome {
        // A thread that wants to detach this one waits until no join is in progress.
        if isDetachWanted.load(ordering: .acquiring) { return refusal ?? .notYet }
        let (done, _) = joining.compareExchange(
            expected: .joinable, desired: .claimed, ordering: .acquiringAndReleasing)
        return done ? .joined : refusal ?? .notYet
    }

    /// Completes a join of the main thread, whose semaphore was awaited. POSIX does not join the main thread here,
    /// because it still has to end the run.
    private func claimMain(_ mainExit: UnsafeMutablePointer<sem_t>) -> JoinOutcome {
        // Other threads that join the main thread must not block either: they find that it has been joined.
        sem_post(mainExit)
        let (done, found) = joining.compareExchange(
            expected: .joinable, desired: .joined, ordering: .acquiringAndReleasing)
        return done ? .joined : .refused(found == .detached ? .joinDetached : .joinTwice)
    }
}

/// Seats: the objects of threads that a program declares. A seat is a word: 0 until a thread is started for it, then
/// the thread's number plus one.
extension NativeRuntime {
    private static let isBeingStarted = -1

    /// Claims the seat for a thread that the caller starts. Returns false if it is taken.
    func claim(_ seat: RuntimeObject) -> Bool {
        let word = NativeStorage(seat).atomic
        return word.pointee.compareExchange(
            expected: 0, desired: Self.isBeingStarted, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Puts the started thread on the claimed seat. Nil makes the seat empty again.
    func sit(_ thread: RuntimeObject?, on seat: RuntimeObject) {
        NativeStorage(seat).atomic.pointee.store(thread.map { Int($0.id) + 1 } ?? 0, ordering: .releasing)
    }

    /// The thread on the seat. Nil if it is empty.
    func sitter(on seat: RuntimeObject) throws -> RuntimeObject? {
        let word = NativeStorage(seat).atomic
        while true {
            switch word.pointee.load(ordering: .acquiring) {
            case 0: return nil
            // A thread has claimed it and is starting a thread for it, which takes some microseconds.
            case Self.isBeingStarted:
                try checkRunning()
                sched_yield()
            case let number: return RuntimeObject(id: UInt32(number - 1))
            }
        }
    }
}
