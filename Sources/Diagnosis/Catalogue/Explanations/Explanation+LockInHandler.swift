extension Explanation {
    /// The text that `threadlab explain TL605` prints, with two programs, which tests run.
    static let lockInHandler = Explanation(
        .lockInHandler,
        meaning: """
            A signal handler takes a lock, directly or in something that it calls.
            """,
        story: """
            The cashier is counting the money behind a locked door when the bell rings. She runs to the door from
            outside, finds it locked, and waits for the person inside to open: herself.
            """,
        reason: """
            A handler interrupts a thread between any two instructions, also while the thread holds a lock. If the
            handler needs that lock, it waits for the thread that it has interrupted, which cannot continue before
            the handler is over. A recursive lock does not help: the handler would then see data that are half
            changed. Memory allocation, printing and waking a run loop take locks too, so a handler may call only
            the few functions that POSIX calls async-signal-safe.
            """,
        sources: [
            """
            Guide: Synchronization, "Thread Safety and Signals"; Run Loops, "Defining a Custom Input Source": no
            source is signaled, and no loop is woken, from a signal handler
            """,
            "POSIX, System Interfaces, 2.4.3 Signal Actions: the async-signal-safe functions",
        ],
        remedies: [
            """
            Block the signal in every thread, before any thread is created, and let one thread wait for it with
            sigwait. That thread may do anything.
            """,
            "Let the handler set an atomic flag, and test the flag where no lock is held.",
            "Let the handler write a byte to a pipe, and read it in the event loop.",
        ],
        confusion: """
            A thread that locks a mutex twice by itself, which is a deadlock of one thread (TL101): here the second
            call is not in the thread's own code.
            """,
        belief: """
            "A signal handler is a function like any other." It can interrupt the very thread that holds the lock that
            it wants.
            """,
        example: ExamplePrograms(
            shows: .deadlock,
            remark: """
                A .lab program has no signals; here the handler is a function that is called in the middle
                of the thread's work, so its finding is a deadlock of one thread.
                """,
            broken: #"""
                /// The handler counts too, and needs the lock that the interrupted thread holds.
                scenario "lock in a handler"

                mutex tally
                shared count = 0

                func handle() {
                    lock tally { count += 1 }
                }

                thread worker {
                    lock tally {
                        handle()
                        count += 1
                    }
                }

                expect deadlock
                """#,
            fixed: #"""
                /// The handler sets a flag, which the thread tests when it holds no lock.
                scenario "lock in a handler, fixed"

                mutex tally
                shared count = 0
                atomic signaled = 0

                func handle() {
                    signaled.store(1)
                }

                thread worker {
                    lock tally {
                        handle()
                        count += 1
                    }
                    if signaled.load() == 1 {
                        lock tally { count += 1 }
                    }
                }

                expect completes
                """#))
}
