extension Explanation {
    /// The text that `threadlab explain TL407` prints, with two programs, which tests run.
    static let endlessStarvation = Explanation(
        .endlessStarvation,
        meaning: """
            The run can continue forever in such a way that one thread never makes progress, although others do, and
            although the scheduler treats it fairly.
            """,
        story: """
            Two people share a door that opens for whichever of them happens to push first. Both push again and again.
            Nothing keeps the same one from being first each time.
            """,
        reason: """
            The program's own rule for whose turn it is lets a thread be overtaken without limit. The scheduler is not to
            blame: it lets every thread run, and the thread that starves does run, but each time it looks, another one
            has been faster. Lamport calls the opposite freedom from starvation: every thread that wants to
            enter a critical section eventually does.
            """,
        sources: [
            #"Guide: Synchronization, "Watch Out for Deadlocks and Livelocks""#,
            "Lamport, \"A New Solution of Dijkstra's Concurrent Programming Problem\" (1974)",
            "Herlihy and Shavit, \"The Art of Multiprocessor Programming\", 2.2 and 3.7",
        ],
        remedies: [
            """
            Decide the order before the wait: let each thread take a ticket, and serve the tickets in order.
            """,
            """
            Give the turn away when you are done: the thread that leaves names the one that is next.
            """,
            """
            Use a lock instead of a loop that tries. If it must be fair under every scheduler, use one that serves its
            waiters in order.
            """,
        ],
        confusion: """
            A livelock (TL401), in which no thread makes progress; a deadlock (TL101), in which the thread cannot even run;
            and starvation in one run (TL402), in which a thread was overtaken often, but perhaps not forever.
            """,
        belief: """
            "If the others make progress, I will, too." Nothing promises it: a thread can lose each time.
            """,
        example: ExamplePrograms(
            remark:
                "Real threads show it only as an uneven count; the search by states proves that it can continue forever.",
            broken: #"""
                /// A lock that the fastest gets.
                scenario "endless starvation"

                atomic isTaken = false

                thread worker[2] {
                    while true {
                        while isTaken.exchange(true) { yield }
                        progress
                        isTaken.store(false)
                    }
                }

                expect starvation
                """#,
            fixed: #"""
                /// A lock that serves in the order of tickets.
                scenario "endless starvation, fixed"

                atomic nextTicket = 0, served = 0

                thread worker[2] {
                    while true {
                        let ticket = nextTicket.bitXor(1)
                        while served.load() != ticket { yield }
                        progress
                        served.store(1 - ticket)
                    }
                }

                expect completes
                """#))
}
