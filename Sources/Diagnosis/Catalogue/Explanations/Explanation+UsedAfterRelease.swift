extension Explanation {
    /// The text that `threadlab explain TL604` prints, with two programs, which tests run.
    static let usedAfterRelease = Explanation(
        .usedAfterRelease,
        meaning: """
            An object was used, retained or released after its last reference had been released: it no longer exists.
            """,
        story: """
            A guest reads a room number in the hotel's register, and walks up the stairs. Meanwhile the room is given
            back and torn down.
            """,
        reason: """
            A lock protects the container, and not what is in it. Between fetching an object and retaining it, another
            thread may remove it and release the last reference. The memory may then hold something else: the program
            crashes much later, or changes foreign data. Two setters that both release the old value release it once too
            often. The guide: retain the object while you still hold the lock.
            """,
        sources: [
            #"Guide: Synchronization, "Be Aware of Threats to Code Correctness"; Core Foundation"#,
            "Thread-Safe Class Design, objc.io 2: the setter that releases twice, and atomic properties",
        ],
        remedies: [
            "Retain the object in the same locked section that fetches it.",
            "Let the getter do both: retain under the lock, and leave the reference to the caller's pool.",
            "Replace a value in one step, and release only what that step returned.",
        ],
        confusion: """
            A crash (TL703), in which such a use ends if nothing counts the references; a data race (TL201) on the
            variable that holds the reference.
            """,
        belief: """
            "I still have the object, so it is still there." Having a pointer is not owning the object: another thread
            may have released it.
            """,
        example: ExamplePrograms(
            shows: .assertion,
            remark: """
                A .lab program counts the references in an atomic, so its finding is a failed assertion. In Swift:
                ManagedObject, and the scenario from-container.
                """,
            broken: #"""
                /// A reader fetches an object under the lock, and retains it after unlocking.
                scenario "used after release"

                mutex m
                shared isThere = true
                atomic references = 1

                thread reader {
                    var found = false
                    lock m { found = isThere }
                    sleep 10ms
                    if found { assert references.add(1) > 0, "the object has gone" }
                }

                thread remover {
                    sleep 5ms
                    lock m { isThere = false }
                    references.add(-1)
                }

                expect assertion
                """#,
            fixed: #"""
                /// The reader retains it in the same section.
                scenario "used after release, fixed"

                mutex m
                shared isThere = true
                atomic references = 1

                thread reader {
                    var found = false
                    lock m {
                        found = isThere
                        if found { assert references.add(1) > 0, "the object has gone" }
                    }
                    sleep 10ms
                    if found { references.add(-1) }
                }

                thread remover {
                    sleep 5ms
                    lock m { isThere = false }
                    references.add(-1)
                }

                expect completes
                """#))
}
