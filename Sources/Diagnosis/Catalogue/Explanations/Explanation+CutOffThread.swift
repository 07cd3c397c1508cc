extension Explanation {
    /// The text that `threadlab explain TL502` prints, with two programs, which tests run.
    static let cutOffThread = Explanation(
        .cutOffThread,
        meaning: """
            A thread was still running when the process ended, and was terminated in the middle of its work.
            """,
        story: """
            At six the lights go out in the whole building. A letter that was being written stays half a letter.
            """,
        reason: """
            When the main thread returns, or any thread calls exit, the process ends, and every thread ends with
            it, without a chance to finish, save or unlock. For a detached thread this is allowed, and no thread
            can wait for it. The guide: a detached thread should do only work that may be lost; a thread that
            saves data should be joinable, and joined.
            """,
        sources: [
            """
            Guide: About Threaded Programming, "Be Aware of Thread Behaviors at Quit Time"; Thread Management,
            "Setting the Detached State of a Thread"
            """,
            "POSIX, exit: the process ends with all its threads",
        ],
        remedies: [
            "If its work must be done, make the thread joinable, and join it before the process ends.",
            "Before you exit, ask all threads to finish, and wait for them with a time limit.",
            "Make sure that interrupted work leaves nothing half done: write to a new file, then rename it.",
        ],
        confusion: """
            A leaked thread (TL501), which is joinable and was forgotten. A thread that stopped when asked was
            not cut off.
            """,
        belief: """
            "A detached thread finishes its work by itself." It ends where it is when the process ends.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A detached thread saves a letter, but the process does not wait for it.
                scenario "thread cut off"

                thread author {
                    spawn writer
                    detach writer
                }

                thread writer {
                    sleep 10ms  // the disk is slow
                    note "the letter is saved"
                }

                expect completes
                """#,
            fixed: #"""
                /// The author waits until the letter is saved.
                scenario "thread cut off, fixed"

                thread author {
                    spawn writer
                    join writer
                }

                thread writer {
                    sleep 10ms
                    note "the letter is saved"
                }

                expect completes
                """#))
}
