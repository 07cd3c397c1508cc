extension Explanation {
    /// The text that `threadlab explain TL504` prints, with two programs, which tests run.
    static let leakedMemory = Explanation(
        .leakedMemory,
        meaning: """
            A compiled program has ended, and memory that it had allocated was never freed, although nothing points to it
            any more.
            """,
        story: """
            You rent a locker, put your bag into it, and lose the key. The locker cannot be opened any more, and cannot be
            rented to another guest.
            """,
        reason: """
            Memory that nothing points to cannot be freed any more. With threads it often depends on the order: two
            threads see that something is missing, both make it, and the pointer of the first is overwritten by that of
            the second; or a consumer stops before it has taken, and freed, all that producers have left. One block is
            no harm; one in each round of a server fills the memory.
            """,
        sources: [
            #"Guide: Thread Management, "Terminating a Thread""#,
            "ISO C, malloc and free: what was allocated lives until it is freed",
            "LeakSanitizer (Google): what counts as lost, found by looking for pointers",
        ],
        remedies: [
            "Test and set under one lock, so that only one thread makes what is missing.",
            "Let the last user free it: in C++, std::unique_ptr or std::shared_ptr.",
            "Take and free what is left in a queue after all threads have been joined.",
        ],
        confusion: """
            A block that is still pointed to when the program ends, for example by a global variable: the system takes it
            back, and threadlab does not report it. A thread that was neither joined nor detached (TL501). Memory
            that is used after it was freed (TL606): that is freed too early, not too late.
            """,
        belief: """
            "The tests run, and memory stays flat." In the order that the tests happen to see. Another order loses a block.
            """,
        example: ExamplePrograms(
            shows: .assertion,
            remark: """
                A .lab program cannot allocate memory, so its finding is a failed assertion. In C: both threads run 'if
                (!cache) cache = malloc(100);'. Build it with 'threadlab cc', and explore it.
                """,
            broken: #"""
                /// Both threads find no cache, and make one: that of the first is lost.
                scenario "leaked memory"

                mutex m
                shared cache = 0
                shared made = 0

                thread worker[2] {
                    var isMissing = false
                    lock m { isMissing = cache == 0 }
                    sleep 5ms
                    if isMissing {
                        lock m {
                            made += 1
                            cache = made
                        }
                    }
                }

                finally { assert made == 1, "\(made) caches were made, and one is used" }

                expect assertion
                """#,
            fixed: #"""
                /// The test and the making are one.
                scenario "leaked memory, fixed"

                mutex m
                shared cache = 0
                shared made = 0

                thread worker[2] {
                    sleep 5ms
                    lock m {
                        if cache == 0 {
                            made += 1
                            cache = made
                        }
                    }
                }

                finally { assert made == 1, "\(made) caches were made, and one is used" }

                expect completes
                """#))
}
