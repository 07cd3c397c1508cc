extension Explanation {
    /// The text that `threadlab explain TL403` prints, with two programs, which tests run.
    static let priorityInversion = Explanation(
        .priorityInversion,
        meaning: """
            A high-priority thread waits for a lock whose low-priority holder cannot run, because threads in
            between keep the processor busy.
            """,
        story: """
            The chief waits for a file. A trainee has it, and is kept busy by all the managers in between. So
            the chief waits for all of them.
            """,
        reason: """
            The lock reverses the priorities: the most urgent thread runs at the pace of the least urgent one,
            for as long as threads in the middle have work. In 1997 a spacecraft on Mars kept resetting itself
            because of this. The guide: if threads of high and low priority share resources, a low-priority
            thread can block the others.
            """,
        sources: [
            #"Guide: Thread Management, "Setting the Thread Priority""#,
            "POSIX, pthread_mutexattr_setprotocol: PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT",
            "Sha, Rajkumar and Lehoczky, Priority Inheritance Protocols, IEEE Transactions on Computers 39 (9), 1990",
            "Lampson and Redell, Experience with Processes and Monitors in Mesa, CACM 23 (2), 1980",
        ],
        remedies: [
            "Leave all threads at the default priority, unless measurements show that you must not.",
            """
            Give the mutex a protocol that lends the waiter's priority to the holder (priority inheritance), or
            a fixed high priority to any holder (priority ceiling).
            """,
            "Do not share a lock between high- and low-priority threads: pass copies or messages.",
            "Hold the lock so briefly that it does not matter.",
        ],
        confusion: """
            Starvation (TL402) of a thread that waits for no lock; a lock held too long by a thread that does
            run (TL405).
            """,
        belief: """
            "The highest priority always runs first." Not while it waits for a lock whose holder has a low priority and
            gets no processor.
            """,
        example: ExamplePrograms(
            shows: .heldTooLong,
            remark: """
                A .lab program has no priorities, so this one models them: its one processor is a lock. Watch
                how high waits for medium, which does not need the data. The scenario priority-inversion has
                real priorities.
                """,
            broken: #"""
                /// A model with one processor, which is a lock that a thread holds while it computes.
                scenario "priority inversion"

                mutex data, processor
                semaphore mediumComputes = 0

                thread low {
                    lock data {
                        mediumComputes.wait()  // its turn to compute has not come yet
                        lock processor { note "low computes, and releases the data" }
                    }
                }

                thread medium {
                    lock processor {
                        mediumComputes.signal()
                        note "medium computes for long, without the data"
                        sleep 600ms
                    }
                }

                thread high {
                    sleep 3ms
                    lock data { note "high has the data at last" }
                }

                expect completes
                """#,
            fixed: #"""
                /// The same model. Low inherits the priority of high, and computes before medium does.
                scenario "priority inversion, fixed"

                mutex data, processor
                semaphore lowHasData = 0, urgentIsDone = 0

                thread low {
                    lock data {
                        lowHasData.signal()
                        lock processor { note "low computes, and releases the data" }
                    }
                }

                thread medium {
                    urgentIsDone.wait()
                    lock processor {
                        note "medium computes for long, without the data"
                        sleep 600ms
                    }
                }

                thread high {
                    lowHasData.wait()
                    lock data { note "high has the data" }
                    urgentIsDone.signal()
                }

                expect completes
                """#))
}
