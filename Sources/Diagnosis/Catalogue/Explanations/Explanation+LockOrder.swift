extension Explanation {
    /// The text that `threadlab explain TL103` prints, with two programs, which tests run.
    static let lockOrder = Explanation(
        .lockOrder,
        meaning: """
            Threads take the same locks in different orders: this run completed, but with other timing they can
            wait for each other forever.
            """,
        story: """
            Two cars cross a narrow bridge from opposite sides every day, one at eight and one at nine. It has
            always gone well. Then one of them is late.
            """,
        reason: """
            Only luck prevents the cycle: no lock and no join makes one thread finish before the other begins. A
            test will rarely show the deadlock; a busy machine will.
            """,
        sources: [
            #"Guide: Synchronization, "Watch Out for Deadlocks and Livelocks""#,
            """
            Havelund, Using Runtime Analysis to Guide Model Checking of Java Programs, SPIN 2000: a graph of
            lock orders
            """,
            """
            Bensalem and Havelund, Dynamic Deadlock Analysis of Multi-threaded Programs, 2005: which orders are
            harmless (a lock around both, one thread alone, threads that never run at the same time)
            """,
        ],
        remedies: [
            "Decide on one order for these locks, document it, and follow it everywhere.",
            "Take one lock around both (a gate) wherever both are needed; then their order does not matter.",
            "Hold one lock at a time: unlock the first before you take the second.",
        ],
        confusion: """
            A deadlock (TL101), which has happened. Two orders that are protected by one gate lock, or that
            occur in one thread only, are harmless and not reported.
            """,
        belief: """
            "It has always worked, so the order of the locks does not matter." Both orders were used, only never at the
            same moment. One day they will be.
            """,
        example: ExamplePrograms(
            remark: """
                Remove the sleep, and some runs end in a deadlock: threadlab run FILE --controlled --runs 100.
                """,
            broken: #"""
                /// Two locks in opposite orders, at different times: no deadlock today.
                scenario "lock order"

                mutex a, b

                thread early {
                    lock a {
                        lock b { note "early has both" }
                    }
                }

                thread late {
                    sleep 10ms  // only luck keeps the two apart
                    lock b {
                        lock a { note "late has both" }
                    }
                }

                expect lock-order
                """#,
            fixed: #"""
                /// Two locks, always in the same order.
                scenario "lock order, fixed"

                mutex a, b

                thread early {
                    lock a {
                        lock b { note "early has both" }
                    }
                }

                thread late {
                    sleep 10ms
                    lock a {
                        lock b { note "late has both" }
                    }
                }

                expect completes
                """#))
}
