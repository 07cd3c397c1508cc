extension Explanation {
    /// The text that `threadlab explain TL301` prints, with two programs, which tests run.
    static let lostWakeUp = Explanation(
        .lostWakeUp,
        meaning: """
            A signal was sent while no thread was waiting, and the thread that it was meant for began to wait
            afterwards and was never woken.
            """,
        story: """
            You look out of the window: no guest. While you walk to the armchair, the bell rings once. You sit
            down and wait for the bell.
            """,
        reason: """
            A condition does not remember signals: a signal wakes threads that are waiting at that moment, and
            is gone. To the thread that signals, testing the predicate and starting to wait must therefore be one
            atomic step. The mutex makes it so if both sides hold it: wait releases it as the thread falls asleep. The
            guide says: hold the lock to signal.
            """,
        sources: [
            #"Guide: Synchronization, "Using Conditions""#,
            """
            POSIX, pthread_cond_signal: no effect if no threads are blocked; pthread_cond_wait releases the
            mutex and waits, atomically for other threads that lock the mutex
            """,
        ],
        remedies: [
            "Change the predicate with the mutex held, then signal; do not signal without a change.",
            """
            Wait in a loop that tests first: while !isReady { ready.wait() }. Then an early signal is not
            missed, because the change is seen.
            """,
            "If one side only counts and the other only takes, use a semaphore: it remembers.",
        ],
        confusion: """
            A signal that wakes no thread but is not missed, because the next thread tests the predicate and
            sees that there is work: that is correct. Or a woken thread that lost to a faster one (TL302).
            """,
        belief: """
            "A signal waits until it is needed." A condition remembers nothing: without a waiter a signal is lost. What
            is remembered is the predicate, which the waiter must test first.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// The flag is set between the test and the wait, so the signal wakes no thread.
                scenario "lost wake-up"

                mutex m
                condition ready with m
                atomic isReady = false

                thread waiter {
                    lock m {
                        while !isReady.load() {
                            sleep 10ms  // tested, but not waiting yet
                            ready.wait()
                        }
                    }
                }

                thread setter {
                    sleep 5ms
                    isReady.store(true)
                    ready.signal()
                }

                expect deadlock
                """#,
            fixed: #"""
                /// The flag is set with the lock held, so never between the test and the wait.
                scenario "lost wake-up, fixed"

                mutex m
                condition ready with m
                atomic isReady = false

                thread waiter {
                    lock m {
                        while !isReady.load() {
                            sleep 10ms
                            ready.wait()
                        }
                    }
                }

                thread setter {
                    sleep 5ms
                    lock m {
                        isReady.store(true)
                        ready.signal()
                    }
                }

                expect completes
                """#))
}
