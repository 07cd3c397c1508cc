extension Explanation {
    static let wrongThread = Explanation(
        .wrongThread,
        meaning: """
            A thing that belongs to one thread, such as a run loop or a view, was used from another.
            """,
        story: """
            Only the driver touches the steering wheel. A passenger means well and turns it, while the driver
            does, too.
            """,
        reason: """
            Some things have no lock because only one thread ever uses them: that is what makes them fast and
            simple. A call from another thread is then a race, though nothing looks shared. Run loops are like
            this, and most user interfaces. The guide: change a run loop only from its own thread; update the
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
            "Send the work to the owner: a message, a run loop source, perform on its thread.",
            "Say at the beginning of each such function which thread it needs, and check it.",
            "Take a copy on the owner's thread, and hand the copy over.",
        ],
        confusion: """
            A data race (TL201), which is what comes of it when nobody checks; misuse of a lock by a thread that
            does not hold it (TL601).
            """,
        example: ExamplePrograms(
            shows: .assertion,
            remark: """
                A .lab program has no run loop; this one guards a picture in the way in which a run loop guards
                itself, so its finding is a failed assertion.
                """,
            broken: #"""
                /// A picture belongs to the painter; whoever paints is asked who it is.
                scenario "wrong thread"

                parameter painter = 1
                shared strokes = 0

                func paint(caller: Int) {
                    assert caller == painter, "person[\(caller)] paints, and the picture belongs to person[\(painter)]"
                    strokes += 1
                }

                thread person[2] { paint(index) }

                expect assertion
                """#,
            fixed: #"""
                /// Whoever is not the painter asks the painter.
                scenario "wrong thread, fixed"

                parameter painter = 1
                semaphore wishes = 0
                shared strokes = 0

                func paint(caller: Int) {
                    assert caller == painter, "person[\(caller)] paints, and the picture belongs to person[\(painter)]"
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
