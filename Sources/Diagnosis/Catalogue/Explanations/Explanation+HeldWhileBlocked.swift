extension Explanation {
    static let heldWhileBlocked = Explanation(
        .heldWhileBlocked,
        meaning: """
            A thread holds a lock while it waits for something else: for another thread, a permit, a message, or
            just for time to pass.
            """,
        story: """
            The clerk locks the office from inside and waits for the postman. Everybody who has business in the
            office now waits for the postman, too.
            """,
        reason: """
            A lock is for a few instructions on shared data. Whoever waits with a lock in hand makes all who
            want the lock wait for the same thing; and if what is awaited needs that lock, directly or through
            others, it is a deadlock. To wait for a condition is different: that gives its own mutex back,
            though no other.
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
            "Wait first, lock then.",
            """
            Unlock before join, sleep, a semaphore's wait, input and output, or a call whose inside you do not
            know; lock again afterwards, and look again at what you knew.
            """,
            "If you wait for a change of what the lock protects, wait on a condition of that lock.",
        ],
        confusion: """
            A lock held for long by a thread that is at work (TL405); a deadlock (TL101), which is what this
            becomes when the one who is waited for needs the lock.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A clerk locks the office and waits for a courier to come back. A visitor waits for the clerk.
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
                /// The clerk waits for the courier first, and locks the office only to put the parcel there.
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
