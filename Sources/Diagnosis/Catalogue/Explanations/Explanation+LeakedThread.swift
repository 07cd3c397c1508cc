extension Explanation {
    static let leakedThread = Explanation(
        .leakedThread,
        meaning: """
            A thread that was started as joinable was neither joined nor detached before the process ended.
            """,
        story: """
            You send a messenger and forget about it. It comes back, finds nobody who asks for the answer, and
            keeps standing in the hall.
            """,
        reason: """
            When a joinable thread ends, the system keeps its stack and its result until somebody joins it. A
            program that starts such threads again and again runs out of memory. And if the process ends first,
            the thread is cut off in the middle of its work, and nobody knows whether it was done. The guide:
            every joinable thread must be joined before the process may end.
            """,
        sources: [
            #"Guide: Thread Management, "Setting the Detached State of a Thread""#,
            """
            POSIX, pthread_join and pthread_detach: the storage of a thread is reclaimed when it has ended and
            one of the two was called
            """,
        ],
        remedies: [
            "Join each thread that you start, on every way out, also when an error passes.",
            "If nobody needs its end or its result, detach it; and accept that it may be cut off (TL502).",
            "Start threads in one place that keeps them in a list, and joins the list at the end.",
        ],
        confusion: """
            A thread that is detached on purpose, which leaks nothing; a thread that never ends, so that the
            join hangs (TL102).
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A thread is started, and nobody ever asks for it again.
                scenario "leaked thread"

                thread parent { spawn helper }

                thread helper { note "somebody should wait for me" }

                expect leak
                """#,
            fixed: #"""
                /// Whoever starts a thread also waits for it.
                scenario "leaked thread, fixed"

                thread parent {
                    spawn helper
                    join helper
                }

                thread helper { note "somebody waits for me" }

                expect completes
                """#))
}
