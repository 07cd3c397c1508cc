extension Explanation {
    static let deadlock = Explanation(
        .deadlock,
        meaning: """
            Two or more threads wait for each other in a circle, and none of them can ever go on.
            """,
        story: """
            Ann has the pen and needs the paper. Bob has the paper and needs the pen. Each waits politely for
            the other to be done, and they wait to this day. A single thread can do it alone, by locking again
            what it has locked already.
            """,
        reason: """
            A lock is given back by its holder and by nobody else. In a circle every holder waits before it
            comes to its unlock, so no lock of the circle is ever free again. The guide: a deadlock can happen
            whenever a thread takes more than one lock at a time. Four things must come together for it: locks
            that exclude, holding while waiting, no taking away, and a circle.
            """,
        sources: [
            #"Guide: Synchronization, "Watch Out for Deadlocks and Livelocks""#,
            "POSIX, pthread_mutex_lock: to lock a normal mutex again that one holds is a deadlock",
            "Coffman, Elphick and Shoshani, System Deadlocks, ACM Computing Surveys 3 (2), 1971: the four conditions",
        ],
        remedies: [
            "Take the locks in one order everywhere, for example by name: then no circle can close.",
            "Hold one lock at a time: copy what you need, unlock, then take the next.",
            """
            Try the second lock (tryLock, or with a time limit); if it is taken, let go of the first, wait a
            moment of random length, and begin again.
            """,
            "If a function locks what its caller has locked, let the caller do it, or use a recursive mutex.",
        ],
        confusion: """
            Waiting for what nobody is left to do (TL102), which has no circle; a livelock (TL401), where the
            threads are busy; or a lock that is held for very long (TL405), which ends.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two threads take the same two locks, in opposite orders.
                scenario "deadlock"

                mutex a, b

                thread first {
                    lock a {
                        sleep 10ms  // meanwhile the other one takes b
                        lock b { note "first has both" }
                    }
                }

                thread second {
                    lock b {
                        sleep 10ms
                        lock a { note "second has both" }
                    }
                }

                expect deadlock
                """#,
            fixed: #"""
                /// Two threads take the same two locks, in the same order.
                scenario "deadlock, fixed"

                mutex a, b

                thread first {
                    lock a {
                        sleep 10ms
                        lock b { note "first has both" }
                    }
                }

                thread second {
                    lock a {
                        sleep 10ms
                        lock b { note "second has both" }
                    }
                }

                expect completes
                """#))
}
