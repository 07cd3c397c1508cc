extension Explanation {
    static let uncaughtError = Explanation(
        .uncaughtError,
        meaning: """
            An error left the body of a thread, and nobody in that thread caught it.
            """,
        story: """
            Somebody calls for help in a room without windows. The corridor is full of people, and none of them
            hears it.
            """,
        reason: """
            Each thread has a stack of its own, and an error travels up that stack only: it can't reach the
            thread that started this one. If it gets to the top, the process ends, as it would if the main
            thread had failed. The guide: each thread catches its own exceptions, and tells others by a message.
            """,
        sources: [
            """
            Guide: About Threaded Programming, "Handle Exceptions"; Thread Management, "Setting Up an Exception
            Handler"
            """
        ],
        remedies: [
            "Catch the error in the thread, where something can still be done about it.",
            "Catch it at the top of the thread's body, keep it as a value, and look at it after join.",
            "Look before you act, if you can foresee the error: whether there is an element, whether the divisor is 0.",
        ],
        confusion: """
            An assertion (TL701), which says that the program itself is wrong; misuse (TL601), which threadlab
            reports by the call that was wrong.
            """,
        example: ExamplePrograms(
            remark: "A .lab program cannot catch errors: each leaves its thread.",
            broken: #"""
                /// A cook takes an order from an empty list, and nobody catches the error.
                scenario "error"

                shared orders = []

                thread cook {
                    let order = orders.removeFirst()
                    note "cooking order \(order)"
                }

                expect error
                """#,
            fixed: #"""
                /// A cook looks whether there is an order.
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
