extension Explanation {
    static let assertion = Explanation(
        .assertion,
        meaning: """
            Something that the program states to be always true was not true in this run.
            """,
        story: """
            Two people look at the account: 100, enough for 60. Both take 60. The bank says that no account is
            below zero, and this one is at minus 20.
            """,
        reason: """
            An assertion that holds in most runs and fails in some depends on who was faster. Often every access
            is well locked, and yet what belongs together was done in two pieces: the look in one, the change in
            the other. A lock protects the code between lock and unlock, not the idea behind it.
            """,
        sources: [
            #"Guide: Synchronization, "Be Aware of Threats to Code Correctness""#,
            """
            Lu, Park, Seo and Zhou, Learning from Mistakes, ASPLOS 2008: most such bugs are broken atomicity or
            broken order
            """,
        ],
        remedies: [
            "Make one section of what must not be interrupted: look and change with one lock held.",
            "If the order is wrong, wait for it: join, a semaphore, a condition with its predicate.",
            """
            Look at the run step by step (--seed N --format lanes): the culprit is mostly the last line of
            another thread before the one that fails.
            """,
            "If the assertion is wrong, and not the program: correct the assertion.",
        ],
        confusion: """
            A data race (TL201): that two accesses have no order. An assertion can fail without any race, and a
            race can be there while no assertion fails.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two customers look whether there is enough, and then take it.
                scenario "assertion"

                mutex m
                shared balance = 100

                thread customer[2] {
                    var isEnough = false
                    lock m { isEnough = balance >= 60 }
                    sleep 10ms  // meanwhile the other one looks, too
                    if isEnough {
                        lock m { balance -= 60 }
                    }
                }

                finally { assert balance >= 0, "the balance is \(balance)" }

                expect assertion
                """#,
            fixed: #"""
                /// Looking and taking are one section: nobody comes between.
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
