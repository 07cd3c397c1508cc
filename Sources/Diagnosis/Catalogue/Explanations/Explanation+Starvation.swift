extension Explanation {
    static let starvation = Explanation(
        .starvation,
        meaning: """
            A thread wants the same thing all the time, and others get it again and again before it does.
            """,
        story: """
            At the bakery there is no queue, only a crowd. The regulars are called by name. You have been
            standing there since seven.
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
            "Hold the lock for shorter, and not again at once: do the work between two locks outside of them.",
            "Make a queue: draw a ticket, and be served in the order of the tickets.",
            "For readers and writers, let a waiting writer go first (writersFirst rwlock).",
            "Leave priorities as they are; if you raised some, lower them again.",
        ],
        confusion: """
            A deadlock (TL101), which nothing ends: here it is enough that the others stop once. Contention
            (TL406), where all wait, but about equally long.
            """,
        example: ExamplePrograms(
            remark: """
                How many turns the greedy one gets is for the machine to decide: run it several times. The tickets
                of the mended form promise an order.
                """,
            broken: #"""
                /// A greedy thread takes the lock again as soon as it has let go. A modest one wants it once.
                scenario "starvation"

                mutex m
                shared turns = 0

                thread greedy {
                    repeat 100 {
                        lock m {
                            turns += 1
                            sleep 1ms
                        }
                    }
                }

                thread modest {
                    sleep 5ms
                    lock m { note "served after \(turns) turns of the other" }
                }

                expect completes
                """#,
            mended: #"""
                /// Both draw a ticket, and are served in the order of the tickets.
                scenario "starvation, mended"

                atomic next = 0, serving = 0
                shared turns = 0

                thread greedy {
                    repeat 100 {
                        let ticket = next.add(1)
                        await serving.load() == ticket
                        turns += 1
                        sleep 1ms
                        serving.add(1)
                    }
                }

                thread modest {
                    sleep 5ms
                    let ticket = next.add(1)
                    await serving.load() == ticket
                    note "served after \(turns) turns of the other"
                    serving.add(1)
                }

                expect completes
                """#))
}
