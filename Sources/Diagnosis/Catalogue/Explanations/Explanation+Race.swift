extension Explanation {
    static let race = Explanation(
        .race,
        meaning: """
            Two threads use the same memory, at least one of them writes, and nothing makes one of them wait
            until the other is done.
            """,
        story: """
            Two people read 7 on the counter at the door. Each adds one in the head, and each writes 8. Two came
            in, and one was counted.
            """,
        reason: """
            count = count + 1 is a read and a write, and another thread may come between. Worse, with nothing to
            order two accesses, compiler and processor may reorder them and keep values in registers; C, C++,
            Swift and POSIX promise nothing at all then. That the result was right this time is no excuse. The
            guide: what several threads use is protected by synchronisation that all of them use, or it is not
            shared.
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
            Lamport, Time, Clocks, and the Ordering of Events, 1978: what comes before what; Flanagan and
            Freund, FastTrack, PLDI 2009: how it is found
            """,
        ],
        remedies: [
            "Put a mutex around every use, also where one only reads: the same mutex everywhere.",
            "For a number or a flag alone, use an atomic.",
            "Share less: give each thread its own, and put the results together after join.",
            "Hand the value over: through a queue or a semaphore, or by starting and joining the thread that uses it.",
        ],
        confusion: """
            A wrong result although every access is locked: there the look and the change are two sections
            (TL701). Accesses that are atomic, or that a lock, a join or a semaphore puts in order, are no race.
            A counter that is only for statistics is one all the same.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two threads add to a counter that nothing protects.
                scenario "race"

                shared count = 0

                thread adder[2] { count += 1 }

                expect race
                """#,
            fixed: #"""
                /// Two threads add to a counter, one at a time.
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
