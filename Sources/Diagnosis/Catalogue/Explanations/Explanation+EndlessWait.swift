extension Explanation {
    static let endlessWait = Explanation(
        .endlessWait,
        meaning: """
            A thread waits for a signal, a permit, an unlock or the end of another thread, and nobody is left
            who could give it.
            """,
        story: """
            You wait at a counter for your number to be called. The clerk went home an hour ago. Nobody holds
            anything that you need, and there is nobody to blame in the room: the one who should have called has
            left.
            """,
        reason: """
            Every wait is a promise by somebody else: for each wait there must be a signal, for each lock an
            unlock, on every way through the program, also the early return and the error. Here all threads that
            could keep the promise have ended, or wait themselves.
            """,
        sources: [
            #"Guide: Synchronization, "Using Conditions""#,
            "POSIX, pthread_cond_signal: a signal has no effect if no thread waits",
        ],
        remedies: [
            """
            Count: as many signals as waits, as many permits given back as taken, and one unlock for each lock
            on every way out (lock m { … } sees to it).
            """,
            "Where several threads may wait for the same thing, broadcast instead of signal.",
            "At the end of the program, tell every thread that waits to leave, one message for each.",
            "Wait with a time limit where the other side may be gone, and decide what to do then.",
        ],
        confusion: """
            A deadlock in a circle (TL101), where those who wait hold what the others need. If the signal was
            sent, but too early, it is a lost wake-up (TL301).
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two visitors, one ticket, and nobody gives it back.
                scenario "endless wait"

                semaphore tickets = 1

                thread visitor[2] {
                    tickets.wait()
                    note "visitor \(index) is in"
                }

                expect deadlock
                """#,
            fixed: #"""
                /// Two visitors, one ticket; whoever leaves gives it back.
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
