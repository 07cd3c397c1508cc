extension Explanation {
    /// The text that `threadlab explain TL606` prints, with two programs, which tests run.
    static let usedAfterFree = Explanation(
        .usedAfterFree,
        meaning: """
            A compiled program used memory that was no longer its own: freed, or a local variable of a function that had
            returned, or of a thread that had ended; or it freed memory twice.
            """,
        story: """
            You lend a friend your bicycle and sell it the same day. Your friend rides off on what is now the property of
            a stranger.
            """,
        reason: """
            Memory that was freed is given to the next allocation, perhaps in another thread: a read finds foreign data,
            and a write changes them. Often the program crashes much later, in code that is correct. With threads the
            order decides: one thread frees what another still uses, or both believe that they are the last user and
            free it. The guide warns of the same for objects: retain them while you still hold the lock.
            """,
        sources: [
            #"Guide: Synchronization, "Be Aware of Threats to Code Correctness""#,
            "ISO C, malloc and free: a pointer to freed memory is indeterminate",
        ],
        remedies: [
            "Free the memory after all threads that use it have been joined.",
            "Count the users with an atomic, and let the last one free it; in C++, use std::shared_ptr.",
            "Give a thread what it needs by value, or join it before the function returns whose variables it uses.",
            "Remove it from all shared places under the lock first, and free it when no thread can find it.",
        ],
        confusion: """
            A crash (TL703), in which such a use ends without threadlab; used-after-release (TL604), the same of objects
            that count their references; a data race (TL201) on the pointer.
            """,
        belief: """
            "It works, so the memory is still mine." What was freed often keeps its content until the next allocation:
            in another order of the threads it does not.
            """,
        example: ExamplePrograms(
            shows: .assertion,
            remark: """
                A .lab program cannot free memory, so its finding is a failed assertion. In C: one thread runs 'free(p);'
                while another runs 'p->count++;'. Build it with 'threadlab cc', and explore it.
                """,
            broken: #"""
                /// A reader uses a block of memory that its owner frees meanwhile.
                scenario "used after free"

                mutex m
                shared isAllocated = true

                thread reader {
                    sleep 10ms
                    lock m { assert isAllocated, "the block was freed" }
                }

                thread owner {
                    sleep 5ms
                    lock m { isAllocated = false }
                }

                expect assertion
                """#,
            fixed: #"""
                /// The owner waits until the reader has finished.
                scenario "used after free, fixed"

                mutex m
                semaphore finished = 0
                shared isAllocated = true

                thread reader {
                    sleep 10ms
                    lock m { assert isAllocated, "the block was freed" }
                    finished.signal()
                }

                thread owner {
                    finished.wait()
                    lock m { isAllocated = false }
                }

                expect completes
                """#))
}
