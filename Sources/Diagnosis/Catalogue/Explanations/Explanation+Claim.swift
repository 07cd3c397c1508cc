extension Explanation {
    /// The text that `threadlab explain TL704` prints, with two programs, which tests run.
    static let claim = Explanation(
        .claim,
        meaning: """
            What a .lab program claims about its runs (always, never, invariant, eventually, outcomes) does not hold in
            this run.
            """,
        story: """
            A sheet at the door is to show how many are inside. Two people read it at the same moment, go in, and each writes
            down one more than they have read: one of them is missing.
            """,
        reason: """
            A claim is what the program promises about all of its runs, whatever the order of steps; one run that breaks it
            is enough. The run was correct in every other respect: no thread noticed anything. A claim about the
            end compares the last values; an invariant is tested after each step, so the last step of the schedule is
            the one that broke it.
            """,
        sources: [
            #"Guide: Synchronization, "Be Aware of Threats to Code Correctness""#,
            "Lamport, Proving the Correctness of Multiprocess Programs, IEEE TSE, 1977: invariants of concurrent programs",
        ],
        remedies: [
            "Make one step, or one critical section, of the test and the change that depends on it.",
            """
            If the claim is about the end, look for the thread whose change was lost: it stored a value that it had
            computed from an old one.
            """,
            """
            If the program is right, correct the claim. If the program is to show a failure, say so: 'expect broken
            invariant …'.
            """,
        ],
        confusion: """
            A failed assertion (TL701), which a thread of the program tests itself, where it is in the code. An expected
            assertion does not excuse a claim.
            """,
        belief: """
            "The result was right, so it is right at every moment." A claim can hold at the end and fail on the way, and
            a lock that is released too early shows that moment to the others.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two people read how many are in the room, and write down one more when they have gone in.
                scenario "claim"

                atomic inside = 0

                thread visitor[2] {
                    let seen = inside.load()
                    sleep 10ms  // opens the door
                    inside.store(seen + 1)
                }

                expect broken always inside == 2
                """#,
            fixed: #"""
                /// Reading and writing are one step.
                scenario "claim, fixed"

                atomic inside = 0

                thread visitor[2] {
                    sleep 10ms  // opens the door
                    inside.add(1)
                }

                expect always inside == 2
                expect completes
                """#))
}
