extension Explanation {
    /// The text that `threadlab explain TL603` prints, with two programs, which tests run.
    static let wrongThread = Explanation(
        .wrongThread,
        meaning: """
            An object that belongs to one thread, such as a run loop or a view, was used from another thread.
            """,
        story: """
            Only the driver touches the steering wheel. A passenger means well and turns it too, while the
            driver does.
            """,
        reason: """
            Some objects have no lock because only one thread ever uses them: that makes them fast and simple. A
            call from another thread is then a race, although nothing looks shared. Run loops are like this, and
            so are most user interfaces. The guide: change a run loop only from its own thread; update the
            interface from the main thread.
            """,
        sources: [
            """
            Guide: Run Loops, "Thread Safety and Run Loop Objects"; About Threaded Programming, "Threads and
            Your User Interface"
            """,
            "Thread-Safe Class Design, objc.io 2: a guard that asserts the thread",
        ],
        remedies: [
            """
            Send the work to the owner: as a message, through a run loop source, or by performing it on its
            thread.
            """,
            "Document at the beginning of each such function which thread it needs, and check it.",
            "Take a copy on the owner's thread, and pass the copy on.",
        ],
        confusion: """
            A data race (TL201), which results if the thread is not checked; unlocking a lock from a thread that
            does not hold it (TL601).
            """,
        belief: """
            "What is protected by a lock may be used from any thread." Some things belong to one thread, whatever locks
            are held: views, run loops, thread-specific data.
            """,
        example: ExamplePrograms(
            shows: .assertion,
            remark: """
                A .lab program has no run loop; this one guards a picture the way a run loop guards itself, so
                its finding is a failed assertion.
                """,
            broken: #"""
                /// A picture belongs to the painter; each call checks its caller.
                scenario "wrong thread"

                parameter painter = 1
                shared strokes = 0

                func paint(caller: Int) {
                    assert caller == painter, "person[\(caller)] paints, but the picture belongs to person[\(painter)]"
                    strokes += 1
                }

                thread person[2] { paint(index) }

                expect assertion
                """#,
            fixed: #"""
                /// Any other person asks the painter.
                scenario "wrong thread, fixed"

                parameter painter = 1
                semaphore wishes = 0
                shared strokes = 0

                func paint(caller: Int) {
                    assert caller == painter, "person[\(caller)] paints, but the picture belongs to person[\(painter)]"
                    strokes += 1
                }

                thread person[2] {
                    if index == painter {
                        wishes.wait()
                        paint(index)
                    } else {
                        wishes.signal()
                    }
                }

                expect completes
                """#))
}
