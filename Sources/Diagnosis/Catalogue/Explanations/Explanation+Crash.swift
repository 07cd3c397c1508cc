extension Explanation {
    /// The text that `threadlab explain TL703` prints, with two programs, which tests run.
    static let crash = Explanation(
        .crash,
        meaning: """
            The process died: it accessed memory illegally, called abort, or was killed from outside.
            """,
        story: """
            You have looked: there is a chair. While you turn around, the chair is taken away, and you sit down.
            """,
        reason: """
            In a concurrent program a crash is often the result of a race: memory that one thread freed while
            another still used it, a container changed by two threads at once, or a stack that was too small.
            The line that crashed is where the fault became visible, usually not where it is. The trace contains
            everything up to the last event before the crash.
            """,
        sources: [
            """
            Guide: Synchronization, "Be Aware of Threats to Code Correctness"; Thread Management, "Configuring
            the Stack Size of a Thread"
            """,
            "POSIX, Signal Concepts: the default actions of SIGSEGV, SIGABRT and other signals",
        ],
        remedies: [
            "Look at the other findings of the run: a race (TL201) is the likely cause.",
            "Keep the lock, or a reference, for as long as you use what it protects.",
            """
            If the stack overflowed (deep recursion, large values on the stack), give this thread a larger
            stack.
            """,
            "Run it under the scheduler with several seeds: the same fault, reproducible step by step.",
        ],
        confusion: """
            An uncaught error (TL602) or a failed assertion (TL701), which report themselves what was wrong.
            """,
        belief: """
            "A crash is in the line that crashes." Often another thread has freed or changed the memory long before.
            """,
        example: ExamplePrograms(
            shows: .uncaughtError,
            remark: """
                A .lab program cannot crash: where a C program would, an error leaves its thread. This one uses
                an element that has been removed meanwhile.
                """,
            broken: #"""
                /// A cook sees an order, but the list is cleared before the cook takes it.
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
                /// Looking and taking are one critical section, so the order is still there.
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
