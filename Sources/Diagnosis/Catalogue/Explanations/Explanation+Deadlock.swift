extension Explanation {
    /// The text that `threadlab explain TL101` prints, with two programs, which tests run.
    static let deadlock = Explanation(
        .deadlock,
        meaning: """
            Two or more threads wait for each other in a cycle, and none of them can ever continue.
            """,
        story: """
            Ann has the pen and needs the paper. Bob has the paper and needs the pen. Each waits politely for
            the other to be done, and they wait to this day. One thread is enough: it locks a mutex that it
            already holds.
            """,
        reason: """
            Only the thread that holds a lock can release it. In a cycle each holder waits before it reaches its
            unlock, so no lock in the cycle is ever released. The guide: a deadlock can happen whenever a thread
            takes more than one lock at a time. Four conditions must meet (Coffman): mutual exclusion, hold and wait,
            no preemption, and a cycle.
            """,
        sources: [
            #"Guide: Synchronization, "Watch Out for Deadlocks and Livelocks""#,
            "POSIX, pthread_mutex_lock: relocking a normal mutex that the thread already holds is a deadlock",
            "Coffman, Elphick and Shoshani, System Deadlocks, ACM Computing Surveys 3 (2), 1971: the four conditions",
        ],
        remedies: [
            "Take the locks in the same order everywhere, for example by name: then no cycle can form.",
            "Hold one lock at a time: copy what you need, unlock, then take the next.",
            """
            Try the second lock (tryLock, or a time limit); if another thread has it, release the first, wait for a
            short random time, and start again.
            """,
            """
            If a function locks what its caller has already locked, lock only in the caller, or use a recursive
            mutex.
            """,
        ],
        confusion: """
            A wait that no remaining thread can end (TL102), which has no cycle; a livelock (TL401), in which
            the threads are busy; or a lock that is held for a very long time (TL405) but is released in the
            end.
            """,
        belief: """
            "It cannot hang, because each thread only takes what it needs and gives it back." Each one does. Together
            they can wait in a cycle, in which no thread reaches the line that would release something.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two threads take the same two locks, in opposite orders.
                scenario "deadlock"

                mutex a, b

                thread first {
                    lock a {
                        sleep 10ms  // meanwhile second takes b
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
