extension Explanation {
    /// The text that `threadlab explain TL102` prints, with two programs, which tests run.
    static let endlessWait = Explanation(
        .endlessWait,
        meaning: """
            A thread waits for a signal, a permit, an unlock or the end of another thread, but no remaining
            thread can provide it.
            """,
        story: """
            You wait at a counter for your number to be called. The clerk went home an hour ago. Nothing in the
            room blocks your way: the call will simply never come.
            """,
        reason: """
            Every wait relies on another thread: each wait needs a signal, and each lock an unlock, on every
            path through the program, including early returns and errors. Here every thread that could act has
            ended, or is waiting itself.
            """,
        sources: [
            #"Guide: Synchronization, "Using Conditions""#,
            "POSIX, pthread_cond_signal: a signal has no effect if no thread waits",
        ],
        remedies: [
            """
            Count: as many signals as waits, as many permits returned as taken, and one unlock for each lock on
            every path (lock m { … } ensures it).
            """,
            "Where several threads may wait for the same thing, broadcast instead of signaling.",
            """
            At the end of the program, wake every waiting thread and tell it to leave, with one message for
            each.
            """,
            "Wait with a time limit where the other side may be gone, and handle the time-out.",
        ],
        confusion: """
            A deadlock with a cycle (TL101), in which the waiting threads hold what the others need. If the
            signal was sent, but too early, it is a lost wake-up (TL301).
            """,
        belief: """
            "A thread that waits will be woken." Only if some thread is left that signals, and does it after the wait
            has begun.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two visitors, one ticket, and it is never returned.
                scenario "endless wait"

                semaphore tickets = 1

                thread visitor[2] {
                    tickets.wait()
                    note "visitor \(index) is in"
                }

                expect deadlock
                """#,
            fixed: #"""
                /// Two visitors, one ticket, which each visitor returns.
                scenario "endless wait, fixed"

                semaphore tickets = 1

                thread visitor[2] {
                    tickets.wait()
                    note "visitor \(index) is in"
                    tickets.signal()
                }

                expect completes
                """#))
}
