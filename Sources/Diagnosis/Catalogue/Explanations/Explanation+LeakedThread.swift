extension Explanation {
    /// The text that `threadlab explain TL501` prints, with two programs, which tests run.
    static let leakedThread = Explanation(
        .leakedThread,
        meaning: """
            A joinable thread was neither joined nor detached before the process ended.
            """,
        story: """
            You send a messenger and forget about it. The messenger comes back with an answer, is never asked
            for it, and stays in the hall forever.
            """,
        reason: """
            When a joinable thread ends, the system keeps its stack and its result until another thread joins
            it. A program that keeps starting such threads runs out of memory. And if the process ends first,
            the thread is terminated in the middle of its work, and the program never learns whether the work
            was done. The guide: every joinable thread must be joined before the process may end.
            That is the program's duty: a POSIX process does not wait for its threads.
            """,
        sources: [
            #"Guide: Thread Management, "Setting the Detached State of a Thread""#,
            """
            POSIX, pthread_join and pthread_detach: the storage of a thread is reclaimed when it has ended and
            one of the two was called
            """,
        ],
        remedies: [
            "Join each thread that you start, on every path, including when an error is thrown.",
            "If neither its end nor its result matters, detach it, and accept that it may be cut off (TL502).",
            "Start threads in one place that keeps them in a list, and joins them all at the end.",
        ],
        confusion: """
            A thread that is detached on purpose, which leaks nothing; a thread that never ends, so that the
            join hangs (TL102).
            """,
        belief: """
            "A thread that has ended is gone." A joinable thread keeps its resources until it is joined.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A thread is started, and never joined or detached.
                scenario "leaked thread"

                thread parent { spawn helper }

                thread helper { note "this thread should be joined" }

                expect leak
                """#,
            fixed: #"""
                /// The thread that starts another also waits for it.
                scenario "leaked thread, fixed"

                thread parent {
                    spawn helper
                    join helper
                }

                thread helper { note "this thread is joined" }

                expect completes
                """#))
}
