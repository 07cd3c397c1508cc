extension Explanation {
    /// The text that `threadlab explain TL503` prints, with two programs, which tests run.
    static let leakedObject = Explanation(
        .leakedObject,
        meaning: """
            The run is over, and an object still has references: one of them was never given up.
            """,
        story: """
            Readers return their books at the desk by the door. One of them leaves by the side door, where there is
            no desk.
            """,
        reason: """
            An object whose references are counted is freed by the release that leaves none. If a return path omits
            its release, or if an object was left to a pool that does not exist, it stays for as long as the process
            lives. One object is no harm; a thread that leaks one in each round fills the memory. The guide: create a
            pool first in a thread's entry routine, and another one for each round of a thread that lives long.
            """,
        sources: [
            """
            Guide: Thread Management, "Writing Your Thread Entry Routine" and "Creating an Autorelease Pool"; Thread
            Safety Summary, "Autorelease Pools"
            """
        ],
        remedies: [
            "Release where every return path leads: in a defer block.",
            "Run the thread's work within a pool, and each round of a long-lived thread within a pool of its own.",
        ],
        confusion: """
            A thread that was neither joined nor detached (TL501); an object that was released too often (TL604).
            """,
        belief: """
            "Thread-specific values disappear with their thread." Only those that have a destructor; the rest stays.
            """,
        example: ExamplePrograms(
            shows: .assertion,
            remark: """
                A .lab program counts the references in an atomic, so its finding is a failed assertion. In Swift:
                ManagedObject, and the scenario entry-routine.
                """,
            broken: #"""
                /// A thread retains an object, and returns early without releasing it.
                scenario "leaked object"

                atomic references = 1
                shared hasWork = false

                thread worker {
                    references.add(1)
                    if hasWork { references.add(-1) }
                }

                finally {
                    references.add(-1)
                    assert references.load() == 0, "the object still has \(references.load()) references"
                }

                expect assertion
                """#,
            fixed: #"""
                /// The release is on every return path.
                scenario "leaked object, fixed"

                atomic references = 1
                shared hasWork = false
                shared done = 0

                thread worker {
                    references.add(1)
                    if hasWork { done += 1 }
                    references.add(-1)
                }

                finally {
                    references.add(-1)
                    assert references.load() == 0, "the object still has \(references.load()) references"
                }

                expect completes
                """#))
}
