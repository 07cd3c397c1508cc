extension Explanation {
    static let lockOrder = Explanation(
        .lockOrder,
        meaning: """
            Threads take the same locks in different orders: nothing happened in this run, but with other timing
            they can wait for each other for ever.
            """,
        story: """
            Two cars use a narrow bridge from both sides every day, one at eight and one at nine. It has always
            gone well. Then one of them is late.
            """,
        reason: """
            What keeps the circle open is luck, not the program: no lock and no join makes one thread finish
            before the other begins. A test will rarely show the deadlock, a busy machine will.
            """,
        sources: [
            #"Guide: Synchronization, "Watch Out for Deadlocks and Livelocks""#,
            """
            Havelund, Using Runtime Analysis to Guide Model Checking of Java Programs, SPIN 2000: a graph of
            lock orders
            """,
            """
            Bensalem and Havelund, Dynamic Deadlock Analysis of Multi-threaded Programs, 2005: what is no danger
            (a lock around both, one thread alone, threads that are never there at the same time)
            """,
        ],
        remedies: [
            "Decide on one order for these locks, write it down, and keep to it everywhere.",
            "Take one lock around both (a gate) wherever both are needed; then their order does not matter.",
            "Do with one lock at a time: unlock the first before the second is taken.",
        ],
        confusion: """
            A deadlock (TL101), which has happened. Two orders behind one gate lock, or in one thread only, are
            no fault, and are not reported.
            """,
        example: ExamplePrograms(
            remark: """
                Take the sleep out, and some runs end in a deadlock: threadlab run FILE --controlled --repeat 100.
                """,
            broken: #"""
                /// Two locks in opposite orders, a while apart: today nobody gets stuck.
                scenario "lock order"

                mutex a, b

                thread early {
                    lock a {
                        lock b { note "early has both" }
                    }
                }

                thread late {
                    sleep 10ms  // nothing but luck keeps the two apart
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
