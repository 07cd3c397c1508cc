extension Explanation {
    /// The text that `threadlab explain TL702` prints, with two programs, which tests run.
    static let timeout = Explanation(
        .timeout,
        meaning: """
            The run was still going when it reached its limit of time or steps: it is not deadlocked, but did
            not end either.
            """,
        story: """
            You count to ten in steps of three and stop when you hit it exactly. You are at nine hundred now.
            """,
        reason: """
            A thread that can run but never ends is waiting in a loop for something that never happens, or its
            loop misses its exit condition, or there is simply too much work. threadlab cannot distinguish these
            by waiting, so it stops the run and reports where each thread was.
            """,
        sources: [
            #"Guide: Thread Management, "Terminating a Thread""#
        ],
        remedies: [
            "Look at the last line of each thread, and check whether what its loop waits for can still happen.",
            "Compare with < or >, not with != , where a step may jump past the end.",
            "Instead of polling, wait: a condition, a semaphore, await.",
            "If the program only needs more time, raise the limit: --timeout 60s, --max-steps 10000000.",
        ],
        confusion: """
            A deadlock (TL101, TL102), which is reported without waiting for the time limit; a livelock (TL401),
            in which threads hinder each other.
            """,
        belief: """
            "It only takes longer." A run that reaches its limit has perhaps stopped for good. Look at what its threads
            wait for.
            """,
        example: ExamplePrograms(
            remark: "On real threads it times out after ten seconds, or with --timeout 1s after one.",
            broken: #"""
                /// Five tasks, done two at a time, until exactly none is left.
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
                /// Five tasks, done two at a time, as long as some are left.
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
