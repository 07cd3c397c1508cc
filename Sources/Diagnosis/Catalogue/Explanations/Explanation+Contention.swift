extension Explanation {
    static let contention = Explanation(
        .contention,
        meaning: """
            Several threads often wanted the same lock at the same moment, and spent part of their time in the
            queue for it.
            """,
        story: """
            Four people write into one book, and there is one pen. All of them work, mostly at waiting for the
            pen.
            """,
        reason: """
            This is no fault: every result is right. It is told because it bounds what more threads can bring:
            what is done under the lock is done one after the other, and a lock that is asked for in vain costs
            much more than a free one. The guide: correct first, then measure, and avoid synchronisation where
            the design allows.
            """,
        sources: [
            #"Guide: Synchronization, "Avoid Synchronization Altogether" and "Synchronization Costs and Performance""#,
            "Amdahl, Validity of the Single Processor Approach, AFIPS 1967: what is not parallel bounds the whole",
        ],
        remedies: [
            "Let each thread count for itself, and put the results together once, at the end.",
            "Do more at each turn with the lock: ten items, not one.",
            "Divide what is protected, and give each part its lock.",
            "For a single number, an atomic is cheaper than a lock.",
        ],
        confusion: """
            A lock that is held too long (TL405): one long turn instead of many short ones. Starvation (TL402):
            the same one loses each time.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Four threads count, and queue for the lock at each step.
                scenario "contention"

                mutex m
                shared total = 0

                thread worker[4] {
                    repeat 5 {
                        lock m {
                            sleep 1ms  // each step takes a moment
                            total += 1
                        }
                    }
                }

                finally { assert total == 20 }

                expect completes
                """#,
            fixed: #"""
                /// Each counts for itself, and takes the lock once, at the end.
                scenario "contention, fixed"

                mutex m
                shared total = 0

                thread worker[4] {
                    var mine = 0
                    repeat 5 {
                        sleep 1ms
                        mine += 1
                    }
                    lock m { total += mine }
                }

                finally { assert total == 20 }

                expect completes
                """#))
}
