extension Explanation {
    /// The text that `threadlab explain TL104` prints, with two programs, which tests run.
    static let queueCycle = Explanation(
        .queueCycle,
        meaning: """
            A block of a queue waits (with sync) for a queue that cannot run anything before that block is over: its
            own queue, or another one whose blocks wait for this one.
            """,
        story: """
            A clerk serves one customer at a time. To finish your form he sends you to the end of his own line, and
            waits until you are at the front.
            """,
        reason: """
            A serial queue runs one block after the other, and sync waits for the new block. A block that calls sync
            on its own queue waits for a block that is behind it. A detour does not help: through a second queue, or
            through a target that both share, the cycle is only longer. To ask which queue is the current one does not
            help: a block may occupy several queues, and that is only the innermost of them.
            """,
        sources: [
            "Guide: Synchronization, \"Watch Out for Deadlocks and Livelocks\"",
            "Thread-Safe Class Design: Pitfalls of GCD, \"Using GCD as a Recursive Lock\"",
            "Dispatch, dispatch_sync: calling it on the current queue results in a deadlock",
        ],
        remedies: [
            "Give a type two kinds of methods: public ones that enter the queue, and private ones that run inside.",
            "Use async where no result is needed.",
            "Let blocks enter queues in one order only, as with locks.",
            "Use a recursive mutex where calls back in are wanted.",
        ],
        confusion: """
            A cycle of locks (TL101), which is the same with locks; a pool all of whose threads wait for blocks that
            have no thread to run on (TL102).
            """,
        belief: """
            "To wait for a queue is safe, because queues have no locks." To wait for one's own queue, or in a cycle of
            queues, is a deadlock.
            """,
        example: ExamplePrograms(
            shows: .deadlock,
            remark: """
                A .lab program has no queues; here a queue is the lock that its running block holds, so its finding is
                a deadlock. In Swift: WorkQueue, and the scenario queue-reentrancy.
                """,
            broken: #"""
                /// A transfer runs as a block of the bank's queue, and calls a method that enters the queue again.
                scenario "queue cycle"

                mutex bank
                shared balance = 10

                func add(amount: Int) {
                    lock bank { balance += amount }
                }

                thread clerk {
                    lock bank {
                        add(5)
                    }
                }

                expect deadlock
                """#,
            fixed: #"""
                /// The method that the transfer calls expects to run inside the queue.
                scenario "queue cycle, fixed"

                mutex bank
                shared balance = 10

                func addInside(amount: Int) {
                    balance += amount
                }

                thread clerk {
                    lock bank {
                        addInside(5)
                    }
                }

                expect completes
                """#))
}
