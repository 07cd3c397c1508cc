extension Explanation {
    /// The text that `threadlab explain TL404` prints, with two programs, which tests run.
    static let heldWhileBlocked = Explanation(
        .heldWhileBlocked,
        meaning: """
            A thread holds a lock while it waits for something else: another thread, a permit, a message, or
            just for time to pass.
            """,
        story: """
            The clerk locks the office from inside and waits for the courier. Every visitor to the office now
            waits for the courier too.
            """,
        reason: """
            A lock is meant for a few instructions on shared data. A thread that waits while it holds a lock
            makes every thread that wants the lock wait too; and if what it waits for needs that lock, directly
            or indirectly, the result is a deadlock. Waiting on a condition is different: it releases its own
            mutex, but no other.
            """,
        sources: [
            """
            Guide: Synchronization, "Watch Out for Deadlocks and Livelocks" and "Be Aware of Threats to Code
            Correctness"
            """,
            "Coffman, Elphick and Shoshani, System Deadlocks, 1971: hold and wait, the second of the four conditions",
            "POSIX, pthread_cond_wait: releases the mutex that it is given, and no other",
        ],
        remedies: [
            "Wait first, then lock.",
            """
            Unlock before a join, a sleep, a semaphore wait, input or output, or a call into unknown code; then
            lock again, and check again what you knew before.
            """,
            "If you wait for a change of the data that the lock protects, wait on a condition of that lock.",
        ],
        confusion: """
            A lock held for long by a thread that is running (TL405); a deadlock (TL101), which this becomes
            when the awaited thread needs the lock.
            """,
        belief: """
            "A wait hurts only the thread that waits." Not if it holds a lock: then all threads that need the lock wait for the
            same thing.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A clerk locks the office and waits for a courier. A visitor has to wait for the clerk.
                scenario "lock held while blocked"

                mutex office

                thread clerk {
                    spawn courier
                    lock office {
                        join courier
                        note "the parcel is here"
                    }
                }

                thread visitor {
                    sleep 10ms
                    lock office { note "the visitor is in" }
                }

                thread courier { sleep 50ms }

                expect completes
                """#,
            fixed: #"""
                /// The clerk waits for the courier first, and only then locks the office.
                scenario "lock held while blocked, fixed"

                mutex office

                thread clerk {
                    spawn courier
                    join courier
                    lock office { note "the parcel is here" }
                }

                thread visitor {
                    sleep 10ms
                    lock office { note "the visitor is in" }
                }

                thread courier { sleep 50ms }

                expect completes
                """#))
}
