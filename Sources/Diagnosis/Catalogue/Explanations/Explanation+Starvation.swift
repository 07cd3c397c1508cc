extension Explanation {
    /// The text that `threadlab explain TL402` prints, with two programs, which tests run.
    static let starvation = Explanation(
        .starvation,
        meaning: """
            A thread waits for a lock or a permit, while other threads get it again and again.
            """,
        story: """
            At the bakery there is no queue, only a crowd. The regulars are called by name, and some of them are
            back for the third time. You have been standing there since seven.
            """,
        reason: """
            A mutex excludes other threads; it does not promise which one is next. A thread that unlocks and
            locks again at once is usually faster than one that must first be woken. A stream of readers can
            keep a writer out forever, and so can high-priority threads a low-priority one. The program makes
            progress, but this thread does not.
            """,
        sources: [
            #"Guide: Thread Management, "Setting the Thread Priority""#,
            "POSIX, pthread_mutex_unlock: the scheduling policy decides which thread gets the mutex next",
            """
            Courtois, Heymans and Parnas, Concurrent Control with "Readers" and "Writers", CACM 14 (10), 1971:
            readers that starve a writer, and vice versa
            """,
        ],
        remedies: [
            "Hold the lock for a shorter time, and leave time between two holds for work that needs no lock.",
            "Make a queue: let threads draw a ticket, and serve them in the order of the tickets.",
            "For readers and writers, let a waiting writer go first (writersFirst rwlock).",
            "Leave priorities at their default; if you raised some, lower them again.",
        ],
        confusion: """
            A deadlock (TL101), which never ends: starvation ends as soon as the other threads pause. Contention
            (TL406), in which all threads wait about equally long. If two hundred threads each take the lock once,
            the last one waits long, but is not starved.
            """,
        belief: """
            "A lock is fair: each thread gets it in turn." A mutex promises that only one thread has it, not which one
            is next.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two readers overlap, so that one of them always reads; a writer waits for a moment without readers.
                scenario "starvation"

                rwlock data

                thread reader[2] {
                    sleep 2ms * index
                    repeat 60 {
                        reading data { sleep 4ms }
                    }
                }

                thread writer {
                    sleep 10ms
                    writing data { note "the writer is in at last" }
                }

                expect completes
                """#,
            fixed: #"""
                /// A waiting writer goes before readers that arrive later.
                scenario "starvation, fixed"

                writersFirst rwlock data

                thread reader[2] {
                    sleep 2ms * index
                    repeat 60 {
                        reading data { sleep 4ms }
                    }
                }

                thread writer {
                    sleep 10ms
                    writing data { note "the writer is in" }
                }

                expect completes
                """#))
}
