extension Explanation {
    /// The text that `threadlab explain TL405` prints, with two programs, which tests run.
    static let heldTooLong = Explanation(
        .heldTooLong,
        meaning: """
            A lock was held long enough that other threads had to wait noticeably.
            """,
        story: """
            One person takes the only key to the archive and reads there all afternoon, although a copy of two
            pages would have been enough.
            """,
        reason: """
            While one thread holds the lock, all others that need it stand still, and the program is no faster
            than with one thread. The guide shows this with an array: holding the lock while working on an
            element is correct, but a bottleneck; only getting the element needs the lock.
            """,
        sources: [
            """
            Guide: Synchronization, "Be Aware of Threats to Code Correctness" and "Synchronization Costs and
            Performance"
            """
        ],
        remedies: [
            "Copy what you need with the lock held, and work on the copy without it.",
            "Compute first, and take the lock only to store the result.",
            "Use a read-write lock if most accesses only read.",
            "Give unrelated data separate locks.",
        ],
        confusion: """
            Contention (TL406): many short holds that add up. If the holder sleeps or waits for something else
            meanwhile, as in the example, TL404 names that wait too.
            """,
        belief: """
            "One large critical section is the safe choice." It is right, but it makes everything else wait: for input,
            for sleep, for work that needs no lock.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A report is printed with the books locked, and all other work waits for the printer.
                scenario "lock held too long"

                mutex books
                shared balance = 100

                thread reporter {
                    lock books {
                        note "printing: \(balance)"
                        sleep 600ms  // the printer is slow
                    }
                }

                thread customer {
                    sleep 5ms
                    lock books { balance += 1 }
                }

                expect completes
                """#,
            fixed: #"""
                /// The report is printed from a copy.
                scenario "lock held too long, fixed"

                mutex books
                shared balance = 100

                thread reporter {
                    var copy = 0
                    lock books { copy = balance }
                    note "printing: \(copy)"
                    sleep 600ms
                }

                thread customer {
                    sleep 5ms
                    lock books { balance += 1 }
                }

                expect completes
                """#))
}
