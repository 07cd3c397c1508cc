extension Explanation {
    static let misuse = Explanation(
        .misuse,
        meaning: """
            A call was made that the lock, condition, semaphore or thread does not permit, such as to unlock
            what another thread holds or to join a thread twice.
            """,
        story: """
            A hotel guest hands in the key of somebody else's room. The desk takes it, and gives the room away
            while its guest is in the shower.
            """,
        reason: """
            POSIX answers some such calls with an error code that is easily overlooked, and leaves others
            undefined: then anything may happen, mostly later and elsewhere. threadlab looks before each call
            and says at once what is wrong. The guide: check the error codes that the functions return.
            """,
        sources: [
            #"Guide: Synchronization, "Using a POSIX Mutex Lock" and "Using POSIX Conditions""#,
            """
            POSIX, pthread_mutex_unlock (not the owner), pthread_cond_wait (mutex not held, or another one),
            pthread_join (twice, itself, a detached thread), sem_post (beyond the greatest value)
            """,
        ],
        remedies: [
            "Lock and unlock in the same thread, in one construct that cannot forget: lock m { … }.",
            """
            If one thread gives the sign and another one waits for it, use a semaphore or a condition: a mutex
            is not for signalling.
            """,
            "Keep a thread's handle in one place, which joins or detaches it, once.",
            "Use one condition with one mutex, always the same.",
        ],
        confusion: """
            A deadlock (TL101) by locking a plain mutex twice: POSIX permits the call, it just never returns. A
            thing that may be used on its own thread only (TL603).
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A mutex belongs to the thread that locked it; another one unlocks it.
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
                /// A semaphore has no owner: one thread may wait, and another one signal.
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
