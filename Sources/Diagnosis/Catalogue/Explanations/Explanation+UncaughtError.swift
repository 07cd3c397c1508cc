extension Explanation {
    /// The text that `threadlab explain TL602` prints, with two programs, which tests run.
    static let uncaughtError = Explanation(
        .uncaughtError,
        meaning: """
            An error left the body of a thread because no code in that thread caught it.
            """,
        story: """
            A cry for help in a room without windows. The corridor is full of people, and none of them hears it.
            """,
        reason: """
            Each thread has its own stack, and an error travels up that stack only: it cannot reach the thread
            that started this one. If it reaches the top, the process ends, as it would if the main thread had
            failed. The guide: each thread catches its own exceptions, and informs other threads by a message.
            """,
        sources: [
            """
            Guide: About Threaded Programming, "Handle Exceptions"; Thread Management, "Setting Up an Exception
            Handler"
            """
        ],
        remedies: [
            "Catch the error in the thread, where it can still be handled.",
            "Catch it at the top of the thread's body, keep it as a value, and examine it after join.",
            "If you can foresee the error, check first, for example that the list is not empty or the divisor not 0.",
        ],
        confusion: """
            An assertion (TL701), which means that the program itself is wrong; misuse (TL601), which threadlab
            reports at the call that was wrong.
            """,
        belief: """
            "An error in a thread is reported to the one that started it." A thread has no caller: the error must be
            caught in it, and handed over as a value.
            """,
        example: ExamplePrograms(
            remark: """
                A .lab program cannot catch errors: every error leaves its thread. A compiled program that exits with a code
                other than 0 has the same finding.
                """,
            broken: #"""
                /// A cook takes an order from an empty list, and the error is not caught.
                scenario "error"

                shared orders = []

                thread cook {
                    let order = orders.removeFirst()
                    note "cooking order \(order)"
                }

                expect error
                """#,
            fixed: #"""
                /// A cook checks whether there is an order.
                scenario "error, fixed"

                shared orders = []

                thread cook {
                    if orders.isEmpty {
                        note "nothing to cook"
                    } else {
                        let order = orders.removeFirst()
                        note "cooking order \(order)"
                    }
                }

                expect completes
                """#))
}
