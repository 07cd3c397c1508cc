extension Explanation {
    static let cutOffThread = Explanation(
        .cutOffThread,
        meaning: """
            A thread was still at work when the process ended, and was stopped wherever it happened to be.
            """,
        story: """
            At six the lights go out in the whole building. Whoever was writing a letter has half a letter.
            """,
        reason: """
            When the main thread returns, or anybody calls exit, the process ends, and with it every thread,
            with no chance to finish, to save or to unlock. For a detached thread that is allowed, and nobody
            can wait for it. The guide: let detached threads do only what may be lost; what saves data should be
            joinable, and joined.
            """,
        sources: [
            """
            Guide: About Threaded Programming, "Be Aware of Thread Behaviors at Quit Time"; Thread Management,
            "Setting the Detached State of a Thread"
            """,
            "POSIX, exit: the process ends with all its threads",
        ],
        remedies: [
            "Make the thread joinable, and join it before the process ends, if its work must be done.",
            "Ask all threads to finish, and wait for them, with a time limit, before you leave.",
            "Let work that may be lost leave nothing half done: write to a new file, then rename it.",
        ],
        confusion: """
            A leak (TL501): that is a joinable thread that was forgotten. A thread that was asked to stop and
            did so has not been cut off.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// A detached thread saves a letter, and the process does not wait for it.
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
