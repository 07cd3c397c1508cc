extension Explanation {
    /// The text that `threadlab explain TL105` prints, with two programs, which tests run.
    static let callNotMade = Explanation(
        .callNotMade,
        meaning: """
            A thread waits until another thread's run loop has made a call (perform with waitUntilDone), and that loop
            does not run, or not in a mode of the call.
            """,
        story: """
            You put a note on a colleague's desk, and wait there until it is done. He has gone home; or he waits at your
            desk, with a note for you.
            """,
        reason: """
            A call to a loop is made by the loop's thread, when it runs the loop in a mode of the call. A thread that
            never runs its loop, has left it, waits in a handler, or runs it in another mode makes no calls. A loop
            with no source and no timer ends at once, so a loop that is only there to be called is easily left
            unnoticed.
            """,
        sources: [
            "Guide: Run Loops, \"Cocoa Perform Selector Sources\": the target thread must have an active run loop",
            "Guide: Run Loops, \"Configuring the Run Loop\": a loop needs a source or a timer, or it ends at once",
        ],
        remedies: [
            "Add a source or a port to the loop, so that it has something to wait for, and run it in a loop.",
            "Do not wait: hand over the call, and let it call back when it is done.",
            "Before a thread ends, let it make the calls that are queued, and tell those that could call it.",
            "Do not wait for a thread that may be waiting for a call to yours.",
        ],
        confusion: """
            A source that was signaled without waking its loop: there the loop runs, and handles the signal late or
            never. A wait for something else that no thread provides (TL102).
            """,
        belief: """
            "A call that is handed to another thread will be made." It is made if that thread comes back to its queue or
            its run loop while the process still runs.
            """,
        example: ExamplePrograms(
            shows: .endlessWait,
            remark: """
                A .lab program has no run loops; here a loop is a thread that looks for requests. In Swift: RunLoop, and
                the scenario perform.
                """,
            broken: #"""
                /// The worker leaves its loop when it has no request; the client asks a moment later.
                scenario "call not made"

                semaphore asked = 0
                semaphore done = 0

                thread worker {
                    while asked.tryWait() {
                        done.signal()
                    }
                }

                thread client {
                    asked.signal()
                    done.wait()
                }

                expect deadlock
                """#,
            fixed: #"""
                /// The worker waits for requests until there will be no more.
                scenario "call not made, fixed"

                semaphore asked = 0
                semaphore done = 0
                shared isOver = false

                thread worker {
                    asked.wait()
                    while !isOver {
                        done.signal()
                        asked.wait()
                    }
                }

                thread client {
                    asked.signal()
                    done.wait()
                    isOver = true
                    asked.signal()
                }

                expect completes
                """#))
}
