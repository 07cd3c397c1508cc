extension Explanation {
    /// The text that `threadlab explain TL701` prints, with two programs, which tests run.
    static let assertion = Explanation(
        .assertion,
        meaning: """
            A condition that the program states must always hold did not hold in this run.
            """,
        story: """
            Two people look at the account: 100, enough for 60. Both take 60. The bank says that no account is
            below zero, and this one is at minus 20.
            """,
        reason: """
            An assertion that holds in most runs and fails in some depends on timing. Often every access is
            correctly locked, but operations that belong together are split in two: the test in one critical
            section, the change in another. A lock protects the code between lock and unlock, not the idea
            behind it.
            """,
        sources: [
            #"Guide: Synchronization, "Be Aware of Threats to Code Correctness""#,
            """
            Lu, Park, Seo and Zhou, Learning from Mistakes, ASPLOS 2008: most such bugs are broken atomicity or
            broken order
            """,
        ],
        remedies: [
            """
            Put everything that must not be interrupted into one critical section: test and change with one lock
            held.
            """,
            "If the order is wrong, wait for the right one: join, a semaphore, a condition with its predicate.",
            """
            Look at the run step by step (--seed N --format lanes): the culprit is usually the last line of
            another thread before the one that fails.
            """,
            "If the assertion is wrong and the program is right, correct the assertion.",
        ],
        confusion: """
            A data race (TL201), in which two accesses are not ordered. An assertion can fail without a race,
            and a race can occur without a failed assertion.
            """,
        belief: """
            "Each line is right, so the program is right." Between two lines another thread can change what the first
            one has found. A check and the change that relies on it belong into one critical section.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two customers check the balance, and then withdraw.
                scenario "assertion"

                mutex m
                shared balance = 100

                thread customer[2] {
                    var isEnough = false
                    lock m { isEnough = balance >= 60 }
                    sleep 10ms  // meanwhile the other one checks too
                    if isEnough {
                        lock m { balance -= 60 }
                    }
                }

                finally { assert balance >= 0, "the balance is \(balance)" }

                expect assertion
                """#,
            fixed: #"""
                /// Checking and withdrawing are one critical section.
                scenario "assertion, fixed"

                mutex m
                shared balance = 100

                thread customer[2] {
                    lock m {
                        if balance >= 60 {
                            sleep 10ms
                            balance -= 60
                        }
                    }
                }

                finally { assert balance >= 0, "the balance is \(balance)" }

                expect completes
                """#))
}
