extension Explanation {
    /// The text that `threadlab explain TL303` prints, with two programs, which tests run.
    static let unguardedPredicate = Explanation(
        .unguardedPredicate,
        meaning: """
            A thread changes what waiters of a condition test, and signals, without having held the condition's mutex.
            """,
        story: """
            A guest looks at the door, sees that it is shut, and turns to lie down. In that moment the porter opens it and
            calls. The guest, not yet lying, hears no call for sleepers; and sleeps.
            """,
        reason: """
            A condition does not remember signals. The mutex makes the test and the beginning of the wait one step for
            every thread that holds it as well. A change without it can come in between, and then its signal wakes no
            thread. That a variable is atomic does not help: its value is right, the order is not. The guide: change the
            predicate with the lock held.
            """,
        sources: [
            #"Guide: Synchronization, "Using Conditions""#,
            """
            POSIX, pthread_cond_signal: it may be called without the mutex; if predictable scheduling is required, the
            mutex is held
            """,
        ],
        remedies: [
            "Hold the mutex for the change: lock m { open.store(1) }. The signal may come after the unlock.",
            """
            If the change cannot be made under the mutex, take and release it between the change and the signal.
            """,
        ],
        confusion: """
            A lost wake-up (TL301), which is what happens when the change does come in between; this is the reason, and is
            found in runs that went well. A signal without the mutex alone is allowed.
            """,
        belief: """
            "The mutex is for the wait." It is for the predicate: a thread that changes the predicate must hold it too, or the
            change falls between a waiter's test and its wait.
            """,
        example: ExamplePrograms(
            broken: #"""
                /// The door is opened without the mutex with which guests look at it.
                scenario "unguarded predicate"

                mutex m
                condition opened with m
                atomic isOpen = false

                thread guest {
                    lock m {
                        while !isOpen.load() { opened.wait() }
                    }
                }

                thread porter {
                    isOpen.store(true)
                    opened.signal()
                }

                expect deadlock
                """#,
            fixed: #"""
                /// The door is opened with the mutex held.
                scenario "unguarded predicate, fixed"

                mutex m
                condition opened with m
                atomic isOpen = false

                thread guest {
                    lock m {
                        while !isOpen.load() { opened.wait() }
                    }
                }

                thread porter {
                    lock m { isOpen.store(true) }
                    opened.signal()
                }

                expect completes
                """#))
}
