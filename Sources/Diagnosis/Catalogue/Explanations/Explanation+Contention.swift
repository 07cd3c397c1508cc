extension Explanation {
    /// The text that `threadlab explain TL406` prints, with two programs, which tests run.
    static let contention = Explanation(
        .contention,
        meaning: """
            Several threads often wanted the same lock at the same time, and spent part of their time waiting
            for it.
            """,
        story: """
            Four people write in one book, and there is only one pen. All of them are busy, mostly waiting for
            the pen.
            """,
        reason: """
            This is not a fault: every result is correct. It matters because it limits how much more threads can
            help: work done under the lock is done one thread at a time, and taking a contended lock costs far
            more than taking a free one. The guide: make it correct first, then measure, and avoid
            synchronization where the design allows it.
            """,
        sources: [
            #"Guide: Synchronization, "Avoid Synchronization Altogether" and "Synchronization Costs and Performance""#,
            """
            Amdahl, Validity of the Single Processor Approach to Achieving Large Scale Computing Capabilities,
            AFIPS 1967: the serial part limits the speedup
            """,
        ],
        remedies: [
            "Let each thread count for itself, and combine the results once, at the end.",
            "Do more each time the lock is held: ten items, not one.",
            "Split the protected data, and give each part its own lock.",
            "For a single number, use an atomic: it is cheaper than a lock.",
        ],
        confusion: """
            A lock that is held too long (TL405): one long hold instead of many short ones. Starvation (TL402):
            the same thread loses each time.
            """,
        belief: """
            "More threads make it faster." Not through one lock: while one thread is inside, the others wait, and only
            one processor works.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Four threads count, and wait for the lock at each step.
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
                /// Each thread counts for itself, and takes the lock once, at the end.
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
