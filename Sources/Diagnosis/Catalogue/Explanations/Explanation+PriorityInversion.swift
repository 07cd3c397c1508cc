extension Explanation {
    static let priorityInversion = Explanation(
        .priorityInversion,
        meaning: """
            An urgent thread waits for a lock whose holder is less urgent and does not get to run, because
            threads in between keep the processor.
            """,
        story: """
            The chief waits for a file. A trainee has it, and is kept busy by everybody who may give orders to a
            trainee. So the chief waits for all of them.
            """,
        reason: """
            The lock turns the order of urgency round: the most urgent thread goes at the pace of the least
            urgent, for as long as threads in the middle have work. A spacecraft on Mars reset itself again and
            again because of it, in 1997. The guide: if threads of high and low priority work together, one of
            low priority can hold the others up.
            """,
        sources: [
            #"Guide: Thread Management, "Setting the Thread Priority""#,
            "POSIX, pthread_mutexattr_setprotocol: PTHREAD_PRIO_INHERIT, PTHREAD_PRIO_PROTECT",
            "Sha, Rajkumar and Lehoczky, Priority Inheritance Protocols, IEEE Transactions on Computers 39 (9), 1990",
            "Lampson and Redell, Experience with Processes and Monitors in Mesa, CACM 23 (2), 1980",
        ],
        remedies: [
            "Leave all threads at the default priority, unless you have measured that you must not.",
            """
            Give the mutex the protocol that lends the waiter's priority to the holder (priority inheritance),
            or one fixed high priority to whoever holds it (priority ceiling).
            """,
            "Do not share a lock between very urgent and unhurried threads: hand over copies, or messages.",
            "Hold the lock for so short a time that it does not matter.",
        ],
        confusion: """
            Starvation (TL402) of a thread that waits for no lock; a lock that is held too long by a thread that
            does run (TL405).
            """,
        example: ExamplePrograms(
            shows: .heldTooLong,
            remark: """
                A .lab program has no priorities, so this one models them: the one processor is a lock. Watch how
                high waits for medium, which has no need of the data. The scenario priority-inversion has
                priorities.
                """,
            broken: #"""
                /// A model with one processor, which is a lock here: whoever computes holds it.
                scenario "priority inversion"

                mutex data, processor

                thread low {
                    lock data {
                        sleep 2ms  // it is not its turn to compute
                        lock processor { note "low computes, and lets go of the data" }
                    }
                }

                thread medium {
                    sleep 1ms
                    lock processor {
                        note "medium computes for long, and needs no data"
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
                /// The same model. Low inherits the urgency of high, which waits for it, and computes before medium may.
                scenario "priority inversion, fixed"

                mutex data, processor
                semaphore urgentIsDone = 0

                thread low {
                    lock data {
                        sleep 2ms
                        lock processor { note "low computes, and lets go of the data" }
                    }
                }

                thread medium {
                    urgentIsDone.wait()
                    lock processor {
                        note "medium computes for long, and needs no data"
                        sleep 600ms
                    }
                }

                thread high {
                    sleep 3ms
                    lock data { note "high has the data" }
                    urgentIsDone.signal()
                }

                expect completes
                """#))
}
