extension Explanation {
    static let claim = Explanation(
        .claim,
        meaning: """
            What a .lab program claims about its runs (always, never, invariant, eventually, outcomes) does not hold in
            this run.
            """,
        story: """
            The sign at the door says: never more than one inside. Two people look through the window at the same
            moment, see an empty room, and both go in.
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
        example: ExamplePrograms(
            broken: #"""
                /// Two people look whether the room is empty, and go in.
                scenario "claim"

                atomic inside = 0

                thread visitor[2] {
                    if inside.load() == 0 {
                        inside.add(1)
                        note "inside"
                        inside.add(-1)
                    }
                }

                expect broken invariant inside <= 1
                """#,
            fixed: #"""
                /// Looking and going in are one step.
                scenario "claim, fixed"

                atomic inside = 0

                thread visitor[2] {
                    if inside.compareExchange(expected: 0, desired: 1) {
                        note "inside"
                        inside.add(-1)
                    }
                }

                invariant inside <= 1

                expect completes
                """#))
}
