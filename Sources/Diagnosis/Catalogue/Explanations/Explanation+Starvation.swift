extension Explanation {
    static let starvation = Explanation(
        .starvation,
        meaning: """
            A thread waits for a lock or a permit, and others that have just had it get it again and again before it does.
            """,
        story: """
            At the bakery there is no queue, only a crowd. The regulars are called by name, and some of them
            are back for the third time. You have been standing there since seven.
            """,
        reason: """
            A mutex keeps others out; it does not promise who is next. A thread that unlocks and locks again at
            once is usually faster than one that has to be woken first. Readers that come one after the other
            can keep a writer out for ever, and so can threads of higher priority one of lower. The program
            makes progress, this thread does not.
            """,
        sources: [
            #"Guide: Thread Management, "Setting the Thread Priority""#,
            "POSIX, pthread_mutex_unlock: the scheduling policy decides who gets the mutex next",
            """
            Courtois, Heymans and Parnas, Concurrent Control with Readers and Writers, CACM 14 (10), 1971:
            readers that starve a writer, and the other way round
            """,
        ],
        remedies: [
            "Hold the lock for a shorter time, and leave time between two holds: do there what needs no lock.",
            "Make a queue: draw a ticket, and be served in the order of the tickets.",
            "For readers and writers, let a waiting writer go first (writersFirst rwlock).",
            "Leave priorities as they are; if you raised some, lower them again.",
        ],
        confusion: """
            A deadlock (TL101), which nothing ends: here it is enough that the others stop once. Contention
            (TL406), where all wait, but about equally long: the last of two hundred threads that take a lock once
            each waits for a long time, and is not starved.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two readers overlap, so that one of them is always in; a writer waits for a moment without readers.
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
                /// A waiting writer comes before readers that come later.
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
