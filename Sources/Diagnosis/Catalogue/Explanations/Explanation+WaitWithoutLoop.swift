extension Explanation {
    static let waitWithoutLoop = Explanation(
        .waitWithoutLoop,
        meaning: """
            A thread waits for a condition, and when it is woken goes on without looking whether what it waited
            for is true.
            """,
        story: """
            Two guests wait for cake. Somebody calls 'cake!', both get up, and there is one piece. The second
            guest takes it from an empty plate.
            """,
        reason: """
            To be woken is a hint, not a promise. Between the signal and the moment when the waiter has the
            mutex again, another thread may take what there was; a broadcast wakes more threads than there is
            work; and POSIX lets a wait return for no reason at all. The guide: always use a predicate with a
            condition, and test it again.
            """,
        sources: [
            #"Guide: Synchronization, "Using Conditions""#,
            """
            POSIX, pthread_cond_wait: spurious wake-ups may occur, the predicate should be evaluated again upon
            each return
            """,
            """
            Lampson and Redell, Experience with Processes and Monitors in Mesa, CACM 23 (2), 1980: why a signal
            is a hint
            """,
        ],
        remedies: [
            "Write while instead of if: while cakes == 0 { baked.wait() }.",
            "With a time limit too: look at the predicate after the wait, not at how the wait ended.",
            """
            If there is no predicate to look at, the program lacks one: make a flag or a count, changed under
            the mutex.
            """,
        ],
        confusion: """
            A lost wake-up (TL301), where the thread sleeps on; here it wakes too soon. A wait without loop may
            go well for years.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two guests wait for cake. Both are woken for the first one, and neither looks again.
                scenario "wait without a loop"

                mutex m
                condition baked with m
                shared cakes = 0

                thread guest[2] {
                    lock m {
                        if cakes == 0 { baked.wait() }
                        cakes -= 1
                        assert cakes >= 0, "guest \(index) took a cake that was not there"
                    }
                }

                thread baker {
                    repeat 2 {
                        sleep 10ms
                        lock m {
                            cakes += 1
                            baked.broadcast()
                        }
                    }
                }

                expect assertion
                """#,
            fixed: #"""
                /// Two guests wait for cake, and look again whenever they are woken.
                scenario "wait without a loop, fixed"

                mutex m
                condition baked with m
                shared cakes = 0

                thread guest[2] {
                    lock m {
                        while cakes == 0 { baked.wait() }
                        cakes -= 1
                        assert cakes >= 0, "guest \(index) took a cake that was not there"
                    }
                }

                thread baker {
                    repeat 2 {
                        sleep 10ms
                        lock m {
                            cakes += 1
                            baked.broadcast()
                        }
                    }
                }

                expect completes
                """#))
}
