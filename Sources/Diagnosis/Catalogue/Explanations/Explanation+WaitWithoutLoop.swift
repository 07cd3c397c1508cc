extension Explanation {
    /// The text that `threadlab explain TL302` prints, with two programs, which tests run.
    static let waitWithoutLoop = Explanation(
        .waitWithoutLoop,
        meaning: """
            A thread waits on a condition and, when it is woken, continues without testing its predicate again.
            """,
        story: """
            Two guests wait for cake. There is a call of 'cake!', both get up, and there is one piece. The
            second guest takes it from an empty plate.
            """,
        reason: """
            A wake-up is a hint, not a promise. Between the signal and the moment when the waiter holds the
            mutex again, another thread may take what was there; a broadcast wakes more threads than there is
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
            "With a time limit too, test the predicate after the wait, not how the wait ended.",
            """
            If there is no predicate to test, the program lacks one: add a flag or a count, changed under the
            mutex.
            """,
        ],
        confusion: """
            A lost wake-up (TL301), in which the thread sleeps on; here it wakes too soon. A wait without a loop
            may go well for years.
            """,
        belief: """
            "I was woken, so it is true now." It was true when the signal was sent, if at all. Another thread may have
            been faster, and a wait may end without a signal.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two guests wait for cake. Both are woken for the first one, and neither checks again.
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
                /// Two guests wait for cake, and check again whenever they are woken.
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
