extension Explanation {
    /// The text that `threadlab explain TL601` prints, with two programs, which tests run.
    static let misuse = Explanation(
        .misuse,
        meaning: """
            A call was made that the lock, condition, semaphore or thread does not permit, such as unlocking a
            mutex that another thread holds or joining a thread twice.
            """,
        story: """
            A hotel guest hands in the key of another guest's room. The desk accepts it, and gives the room away
            while its guest is in the shower.
            """,
        reason: """
            POSIX reports some such calls with an error code, which is easily overlooked, and leaves others
            undefined: then anything may happen, usually later and elsewhere. threadlab checks before each call
            and reports the mistake at once. The guide: check the error codes that the functions return.
            """,
        sources: [
            #"Guide: Synchronization, "Using a POSIX Mutex Lock" and "Using POSIX Conditions""#,
            """
            POSIX, pthread_mutex_unlock (not the owner), pthread_cond_wait (mutex not held, or another one),
            pthread_join (twice, itself, a detached thread), sem_post (beyond the maximum value)
            """,
        ],
        remedies: [
            "Lock and unlock in the same thread, in one construct that cannot forget to unlock: lock m { … }.",
            """
            If one thread signals and another waits, use a semaphore or a condition: a mutex is not for
            signaling.
            """,
            "Keep a thread's handle in one place, which joins or detaches it exactly once.",
            "Always use a condition with the same mutex.",
        ],
        confusion: """
            A deadlock (TL101) caused by locking a plain mutex twice: POSIX permits the call, but it never
            returns. An object that may be used only on its own thread (TL603).
            """,
        belief: """
            "A mutex just keeps others out, so any thread may unlock it." A mutex has an owner. What one thread takes
            and another returns is a semaphore.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A mutex belongs to the thread that locked it, but another thread unlocks it.
                scenario "misuse"

                mutex m

                thread owner {
                    lock m { sleep 10ms }
                }

                thread stranger {
                    sleep 5ms
                    m.unlock()
                }

                expect misuse
                """#,
            fixed: #"""
                /// A semaphore has no owner: one thread may wait, and another signal.
                scenario "misuse, fixed"

                semaphore gate = 0

                thread owner { gate.wait() }

                thread stranger {
                    sleep 5ms
                    gate.signal()
                }

                expect completes
                """#))
}
