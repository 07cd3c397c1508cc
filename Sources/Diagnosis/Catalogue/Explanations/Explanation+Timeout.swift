extension Explanation {
    static let timeout = Explanation(
        .timeout,
        meaning: """
            The run was still going when its time, or its number of steps, was used up: no deadlock, but no end
            in sight either.
            """,
        story: """
            You count to ten in steps of three and stop when you hit it exactly. You are at nine hundred now.
            """,
        reason: """
            A thread that can go on and never comes to an end waits for something that does not come, in a loop;
            or its loop misses its exit; or the work is just larger than the time. threadlab can't tell these
            apart by waiting, so it stops the run and shows where each thread was.
            """,
        sources: [
            #"Guide: Thread Management, "Terminating a Thread""#
        ],
        remedies: [
            "Look at the last line of each thread, and whether what its loop waits for can still come.",
            "Compare with < or >, not with != , where a step may jump over the end.",
            "Instead of asking again and again, wait: a condition, a semaphore, await.",
            "If the program only needs longer, give it longer: --timeout 60s, --max-steps 10000000.",
        ],
        confusion: """
            A deadlock (TL101, TL102), which is found without waiting for the time to be over; a livelock
            (TL401), where threads hinder each other.
            """,
        example: ExamplePrograms(
            remark: """
                On real threads it is given up after ten seconds, or with --timeout 1s after one.
                """,
            broken: #"""
                /// Five things to do, done two at a time, until exactly none is left.
                scenario "time-out"

                atomic left = 5

                thread worker {
                    while left.load() != 0 {
                        sleep 1ms  // work takes a moment
                        left.add(-2)
                    }
                }

                expect timeout
                """#,
            fixed: #"""
                /// Five things to do, done two at a time, as long as some are left.
                scenario "time-out, fixed"

                atomic left = 5

                thread worker {
                    while left.load() > 0 {
                        sleep 1ms
                        left.add(-2)
                    }
                }

                expect completes
                """#))
}
