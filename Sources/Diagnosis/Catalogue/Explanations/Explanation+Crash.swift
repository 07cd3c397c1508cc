extension Explanation {
    static let crash = Explanation(
        .crash,
        meaning: """
            The process died: it used memory that it must not, called abort, or was killed from outside.
            """,
        story: """
            You have looked: there is a chair. While you turn round somebody takes it away, and you sit down.
            """,
        reason: """
            In a program with threads a crash is often a race that has gone too far: memory that one thread
            freed and another one uses, a container that two change at once, a stack that was too small. The
            line that crashed is where it came out, and mostly not where it went wrong. The trace goes up to the
            last event before.
            """,
        sources: [
            """
            Guide: Synchronization, "Be Aware of Threats to Code Correctness"; Thread Management, "Configuring
            the Stack Size of a Thread"
            """,
            "POSIX, Signal Concepts: what is done about SIGSEGV, SIGABRT and others by default",
        ],
        remedies: [
            "Look which other findings the run has: a race (TL201) is the likely cause.",
            "Keep the lock, or a reference, for as long as you use what it protects.",
            "If the stack overflowed (deep recursion, large values on the stack): a larger stack for this thread.",
            "Run it controlled, with several seeds: the same fault, repeatable, step by step.",
        ],
        confusion: """
            An uncaught error (TL602) or a failed assertion (TL701), which say themselves what was wrong.
            """,
        example: ExamplePrograms(
            shows: .uncaughtError,
            remark: """
                A .lab program cannot crash: where one in C would, an error leaves its thread. This one uses what
                has gone meanwhile.
                """,
            broken: #"""
                /// A cook has seen an order. Before the cook takes it, the list is cleared.
                scenario "crash"

                mutex m
                shared orders = [7]

                thread cook {
                    var isThere = false
                    lock m { isThere = !orders.isEmpty }
                    sleep 10ms
                    if isThere {
                        lock m { note "cooking order \(orders[0])" }
                    }
                }

                thread cleaner {
                    sleep 5ms
                    lock m { orders.removeAll() }
                }

                expect error
                """#,
            fixed: #"""
                /// Looking and taking are one section: what was seen is still there.
                scenario "crash, fixed"

                mutex m
                shared orders = [7]

                thread cook {
                    lock m {
                        if !orders.isEmpty { note "cooking order \(orders[0])" }
                    }
                }

                thread cleaner {
                    sleep 5ms
                    lock m { orders.removeAll() }
                }

                expect completes
                """#))
}
