extension Explanation {
    static let lostWakeUp = Explanation(
        .lostWakeUp,
        meaning: """
            A signal was sent while nobody waited, the thread that it was meant for began to wait afterwards,
            and it was never woken.
            """,
        story: """
            You look out of the window: no guest. While you walk to the armchair the bell rings once. You sit
            down and wait for the bell.
            """,
        reason: """
            A condition remembers nothing: a signal wakes those who wait at that moment, and is gone. So the
            look at what you wait for and the wait must be one piece to the one who signals. The mutex makes
            them so, if both sides hold it: wait gives it back only when the thread is asleep. The guide: hold
            the lock when you signal.
            """,
        sources: [
            #"Guide: Synchronization, "Using Conditions""#,
            """
            POSIX, pthread_cond_signal: no effect if no threads are blocked; pthread_cond_wait releases the
            mutex and waits atomically with respect to who holds that mutex
            """,
        ],
        remedies: [
            """
            Change what is waited for with the mutex held, then signal; do not signal without having changed
            something.
            """,
            """
            Wait in a loop that looks first: while !isReady { ready.wait() }. Then a signal that came early is
            not missed, because what it told is seen.
            """,
            "If one side only counts and the other only takes, use a semaphore: it remembers.",
        ],
        confusion: """
            A signal that finds nobody and is not missed (the next one looks, and sees that there is work): that
            is as it should be. A thread that was woken and lost to a faster one (TL302).
            """,
        example: ExamplePrograms(
            broken: #"""
                /// The flag goes up between the look and the wait, and the signal finds nobody there.
                scenario "lost wake-up"

                mutex m
                condition ready with m
                atomic isReady = false

                thread waiter {
                    lock m {
                        while !isReady.load() {
                            sleep 10ms  // looked, and not asleep yet
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
                /// Whoever raises the flag holds the lock: nobody is between the look and the wait then.
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
