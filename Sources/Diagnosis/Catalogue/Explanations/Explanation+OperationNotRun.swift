extension Explanation {
    /// The text that `threadlab explain TL106` prints, with two programs, which tests run.
    static let operationNotRun = Explanation(
        .operationNotRun,
        meaning: """
            An operation waits for another one that can never finish: they depend on each other in a cycle, or the
            other was never added to a queue.
            """,
        story: """
            The plumber comes when the tiles are on the wall, and the tiler when the pipes are in it. Both have the job
            in their books, and neither has a reason to call.
            """,
        reason: """
            An operation begins when all that it depends on have finished. In a cycle each waits for the next, so none
            ever begins. No thread is blocked by it: the queue just never becomes empty, and what waits for the
            queue, or for one of the operations, waits forever. An operation that no queue has never finishes either.
            """,
        sources: [
            #"Guide: About Threaded Programming, "Synchronization Tools": dependencies order operations"#,
            "Apple, Operation: to create a circular dependency is a programmer error, and can cause a deadlock",
        ],
        remedies: [
            "Remove one dependency of the cycle: the order that the work itself does not need.",
            "Add every operation that others depend on, in whatever order.",
            "Print the queue's operations, and what each waits for, when it does not become empty.",
        ],
        confusion: """
            Threads that wait for each other (TL101): there each holds something, here nothing runs at all. A block
            that waits for its own queue (TL104): it runs, and blocks.
            """,
        belief: """
            "An operation in a queue will run." Not before all operations that it depends on have finished.
            """,
        example: ExamplePrograms(
            shows: .endlessWait,
            remark: """
                A .lab program has no operations; here each is a thread that waits until the others have finished. In
                Swift: BlockOperation, and the scenario operation-order.
                """,
            broken: #"""
                /// Each of three steps waits for the one before it; the first waits for the last.
                scenario "operation not run"

                semaphore loaded = 0
                semaphore decoded = 0
                semaphore shown = 0

                thread load {
                    shown.wait()
                    loaded.signal()
                }

                thread decode {
                    loaded.wait()
                    decoded.signal()
                }

                thread display {
                    decoded.wait()
                    shown.signal()
                }

                expect deadlock
                """#,
            fixed: #"""
                /// Each of three steps waits for the one before it; the first waits for nothing.
                scenario "operation not run, fixed"

                semaphore loaded = 0
                semaphore decoded = 0
                semaphore shown = 0

                thread load {
                    loaded.signal()
                }

                thread decode {
                    loaded.wait()
                    decoded.signal()
                }

                thread display {
                    decoded.wait()
                    shown.signal()
                }

                expect completes
                """#))
}
