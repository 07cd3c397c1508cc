/// What is to be said of cases besides their sentences, mostly where another system differs: for the table of all cases.
extension Case {
    static let remarks = words(
        """
        T5: The native runtime keeps the main OS thread and waits on it, rather than call `pthread_exit`; what a \
        joiner sees is the same. The process then exits with status 0: any other status would be an outcome of \
        its own.
        T8: glibc: `EDEADLK`. POSIX: may.
        T9: glibc notices only a self-join; threadlab names the cycle.
        T10: glibc: `EINVAL`, while the thread lives. Here always, whether it has ended or not.
        T11: POSIX leaves it open; glibc: `EINVAL`.
        T14: Under the controlled runtime, and in tests, a thread that is cut off unwinds with `RunEnded`: \
        nothing that it does is recorded or affects the run.
        T14-any: `Thread.exitProcess`, POSIX `exit`.
        T15: As POSIX. Discarding the held lock is then a misuse (`destroy-held`), which glibc would not report.
        T16: A `Thread` starts when it is created; a `ThreadObject` with its `start`.
        T17: It must also be a multiple of 4096 bytes. Foundation silently keeps the old size.
        T17-guard: Under the scheduler they have no effect. A real-time policy needs a privilege: otherwise \
        `EPERM`.
        T21: `Thread.whenExiting`. Each thread registers for itself; Foundation posts one notice for all \
        threads, and on Linux none.
        T22: Names are unique in a run and of any length; the kernel gets the first 15 bytes. In an execution of \
        a search, which records nothing, `name` is `thread 1`, and so on.
        T-limit: `Thread.setLimit`; `EAGAIN`, as above POSIX's `PTHREAD_THREADS_MAX`. On Linux memory is the \
        limit.
        T-limit-value: A run starts at most 1,024 threads, and those that have ended count: each has a number of \
        its own, in traces too.
        T23: Misuse `start-twice`; Foundation traps.
        T24: Addresses, as Foundation's `callStackReturnAddresses`.
        T24-guard: `precondition(onThread:)`. The finding has the line of the call.
        T3-any: `ThreadObject`. A misuse, a failed assertion and the end of the run are not passed on.
        T-priority: A hint. Raising it needs a privilege on Linux.
        T-error: The first error is the outcome; errors that other threads throw while they unwind are not.
        C2: A join of it throws `NoValue`.
        C4: Cancellation that runs cleanup is not available: POSIX cancels by unwinding foreign frames, which \
        Swift code does not survive. A request is available (C1, C3), and this kill without cleanup. When \
        threadlab ends a run, blocking calls throw `RunEnded`, and the code unwinds like ordinary Swift code.
        C5: There is no state in which a thread refuses requests.
        C6: Cleanup handlers are `defer` blocks.
        C-kill: Only a thread with `canBeKilled` can be killed. It ends before its next operation. Linux ends it \
        by the system call `exit`; POSIX has no such call.
        M5: The outcome is a deadlock of one thread.
        M9: POSIX: undefined. glibc frees it and says nothing.
        M10: POSIX: undefined. glibc says nothing.
        M11: POSIX: may be refused; glibc: `EBUSY`.
        M12: Under the controlled runtime time advances only when no thread can run: a deadline is never missed \
        because a thread is computing.
        M17: A handler runs before the next operation of the thread that got the signal (SG1). On real threads, \
        system calls that a signal interrupts are repeated.
        M19: Under the controlled runtime each waiter is tried.
        M20-wait: POSIX allows it.
        M23-inherit: `PTHREAD_PRIO_INHERIT`. The controlled scheduler has no priorities: there it is an ordinary \
        mutex.
        M23-ceiling: A hint, like any priority. Linux refuses a `PTHREAD_PRIO_PROTECT` mutex to threads without \
        a real-time policy (`EINVAL`), so the mutex sets the priority itself. A wait on a condition keeps it.
        M23-above: As POSIX: `EINVAL`.
        R2: One unlock too many is refused, as in POSIX.
        R-wait-twice: POSIX advises against it; glibc unlocks once, so the mutex stays held. Both runtimes and \
        the detectors do the same, and the outcome is a deadlock.
        V7: Under the controlled runtime a choice of the schedule, up to `spuriousWakeups` times (default of a \
        search: first none, then one).
        V14: A waiter that has been woken or has timed out no longer counts.
        V15: POSIX: undefined; glibc lets it pass.
        V17: POSIX: undefined for a plain mutex. Refused for every kind.
        V-late-signal: A wait that has timed out is over, even while another thread holds its mutex.
        V-out-of-time: So test the predicate after every wait, timed out or not.
        K10: A deadlock of one thread.
        K11: Foundation has no owner check.
        W-downgrade: POSIX has no such call. On real threads a writer that gets the lock between the unlock and \
        the next lock steps back before its program learns of it.
        W6-readers: `.readers` is glibc's default, `.writers` its `PREFER_WRITER_NONRECURSIVE`. A writer that \
        does not wait yet does not block readers.
        W8: glibc does not notice it either; only threadlab reports it.
        W9: POSIX: may; glibc: `EDEADLK`.
        W15: POSIX: undefined; glibc lets it pass.
        W-destroy: A lock is destroyed when its last reference is released. An error that is unwinding the \
        thread takes precedence (M11-error).
        S7: POSIX: 0 or minus the number of waiting threads. Here 0.
        S8: POSIX: `EOVERFLOW`, `EINVAL`.
        S10: POSIX ends the wait with `EINTR`; here the wait is repeated.
        B1: A misuse (`invalid-value`); in a `.lab` file an error of the text. POSIX: `EINVAL`.
        B3-fewer: A deadlock that names the barrier.
        B4: The leader is the last to arrive; POSIX leaves this open.
        B5-more: POSIX leaves it undefined if more threads wait than that.
        B6: A barrier lives as long as a thread uses it; no call destroys it.
        LT3: A misuse (`invalid-value`); in a `.lab` file an error of the text.
        LT4: As in Java. In C++ undefined.
        LT5: A deadlock that names the latch.
        O3: As in POSIX if the thread is canceled there.
        O4: Rust poisons instead.
        O5: A deadlock of one thread, which names the once and both lines. POSIX leaves it undefined; glibc \
        hangs.
        O5-cycle: A deadlock of two threads.
        P1-owner: POSIX: undefined. glibc frees it.
        P2: A livelock, not a deadlock: the thread is busy. POSIX may refuse it; glibc spins. On real threads it \
        sleeps between two tests after a tenth of a second.
        RC2: Objective-C: undefined, usually a crash.
        RC3: Also if another thread could still release it.
        RC5-rest: The first error is passed on.
        L4: As in glibc.
        L5: The deleted slot reads as empty; POSIX leaves its use undefined.
        L6: 1,024, as in glibc. On real threads the process itself uses some.
        L-join: `thread.exit` is recorded after the destructors.
        U1: `RunLoop.main` is made by the main thread; Foundation makes it for whichever thread asks.
        U1-none: So that the loop is the same object in every execution.
        U4: The limit date is asked for (`limitDate(in:)`) without a pass of the loop, which Foundation makes.
        U8: Foundation answers false; here it is a misuse (`wrong-thread`), because callers ignore the result.
        U12: As CoreFoundation.
        U14: Foundation's loop does so too; here the main thread has to make the queue before other threads use \
        it.
        U15-other: CoreFoundation lets a source be in several loops; here it is in one at a time, like a timer \
        there.
        U16: A call is an input source: it ends the run. A block of Foundation's `perform` does not, and does \
        not wake the loop (U18).
        U17-never: Foundation refuses a call to a thread that has ended. Here the caller waits, and the deadlock \
        names the loop.
        U18: As in CoreFoundation: without a wake-up the loop may sleep on.
        U19-timer: As CoreFoundation.
        U20: A stop of a loop that does not run ends its next run; CoreFoundation forgets it, and a stop that \
        comes too early is lost.
        U21: The order of the guide. Calls count as custom sources; at most one message of a port is received in \
        a pass.
        U21-empty: As CoreFoundation. The trace shows the entry and the exit nevertheless.
        U22: Differs from Foundation, whose main loop watches the main queue and so waits. There is none here.
        U-port-full: By default a port has room for any number of messages; a Mach port has it for 5.
        U-port-forsaken: CoreFoundation discards the messages, and the request times out.
        I5: As CoreFoundation, also where its own handler was busy (I5-exact): the next planned time after the \
        handler returns.
        I-tolerance: The loop wakes up as late as the tolerances allow, and fires what is due.
        Q1: A block that was queued earlier by the same thread, or by a thread that it has heard of, is never \
        passed.
        Q3: As Dispatch. A block of the main queue runs on the main thread.
        Q5: The finding names the queue and both lines. Dispatch traps if it notices, and waits otherwise.
        Q5-two: Dispatch does not notice.
        Q5-target: A block holds its queue and every queue that this one targets.
        Q6-width: A block of `sync` runs on the calling thread, and does not count.
        Q7-itself: A concurrent queue is a read-write lock and, for barriers, a mutex: POSIX lets a writer that \
        reads fail (`EDEADLK`).
        Q9: A `sync` whose turn has come continues: it needs no worker. Dispatch holds it back.
        Q9-together: A worker takes several blocks along at once, and looks before each whether the queue is \
        suspended.
        Q9-resume: A misuse (`invalid-value`). Dispatch crashes.
        Q10: A misuse (`wrong-queue`). Dispatch traps.
        Q12: Dispatch creates up to 64 threads. Here a queue has as many as it is wide, unless it is given a \
        pool.
        Q13: Blocks of Dispatch cannot throw.
        Q14: A worker ends when it has had nothing to do for a second.
        Q17-exact: If its queue and a thread are free.
        Q17-queued: A thread of the pool's own waits for the time.
        Q18: Only if the pool has no thread at all. `async` of Dispatch cannot fail.
        Q19: Dispatch: quality of service.
        OQ3-cycle: No thread holds anything: the finding is TL106, and names the operations.
        OQ6: A misuse (`invalid-value`). Foundation allows later dependencies, which may come too late.
        D-1-path: At most 200 bytes.
        D-2: Controlled only: a thread stands for the other process. `distributed-lock` shows it with two real \
        ones.
        D-2-killed: As D-2.
        D-broken: It throws `Broken`. Foundation: unspecified.
        SG1: Linux prefers the main thread.
        SG2: Threads inherit the mask of their creator.
        SG5: `SIGUSR1` on real threads. POSIX merges equal signals that are pending; the model counts them.
        A1: Of a 64-bit word, so n is from 0 to 63; another n is a misuse (`invalid-value`).
        A4-add: Shown under the controlled runtime by trying every interleaving.
        A8-end: As objc4.
        """)

    /// Cases of other test suites that cannot occur here, and why.
    static let impossible = words(
        """
        C7: Cleanup is `defer` and `withLock`; there is no stack of handlers to pop.
        C8: As C4. A wait that the end of the run interrupts does not reacquire its mutex; unlocking it is then \
        allowed, and does nothing.
        C9: As C4.
        M16: An `Instant` is a count of nanoseconds; no value of it is malformed.
        """)

    /// By the ids.
    private static func words(_ text: String) -> [String: String] {
        let rows = text.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
}
