extension Explanation {
    /// The text that `threadlab explain TL201` prints, with two programs, which tests run.
    static let race = Explanation(
        .race,
        meaning: """
            Two threads access the same memory without synchronization, and at least one of them writes.
            """,
        story: """
            Two people read 7 on the counter at the door. Each adds one, and each writes 8. Two people came in,
            but only one was counted.
            """,
        reason: """
            count = count + 1 is a read and a write, and another thread may come between them. Worse, the
            compiler and the processor may reorder unsynchronized accesses and keep values in registers; C, C++,
            Swift and POSIX then guarantee nothing at all, even if the result was right this time. The guide:
            data used by several threads must be protected by synchronization that all of them use, or must not
            be shared.
            """,
        sources: [
            """
            Guide: Synchronization, "Understand the Limits of Synchronization" and "Be Aware of Threats to Code
            Correctness"
            """,
            """
            POSIX, Base Definitions 4.12, Memory Synchronization: no thread may change memory while another may
            use it, except through the functions listed there
            """,
            """
            Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, 1978: happens-before;
            Flanagan and Freund, FastTrack, PLDI 2009: how races are detected
            """,
        ],
        remedies: [
            "Protect every access with the same mutex, including reads.",
            "For a single number or flag, use an atomic.",
            "Share less: give each thread its own data, and combine the results after join.",
            """
            Hand the value over: through a queue or a semaphore, or by starting or joining the thread that uses
            it.
            """,
        ],
        confusion: """
            A wrong result although every access is locked: then the test and the change are in two critical
            sections (TL701). Accesses that are atomic, or that are ordered by a lock, a join or a semaphore,
            are not a race. An unprotected counter is a race even if it is only for statistics.
            """,
        belief: """
            "To read is harmless", and "it is only one line." Reading while another thread writes is the race, and one
            line can be a read and a write, between which others come.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two threads add to an unprotected counter.
                scenario "race"

                shared count = 0

                thread adder[2] { count += 1 }

                expect race
                """#,
            fixed: #"""
                /// Two threads add to a counter that a mutex protects.
                scenario "race, fixed"

                mutex m
                shared count = 0

                thread adder[2] {
                    lock m { count += 1 }
                }

                finally { assert count == 2 }

                expect completes
                """#))
}
