extension Explanation {
    static let livelock = Explanation(
        .livelock,
        meaning: """
            The threads are busy all the time, and none of them gets anything done, because each undoes or gives
            way to what the other does.
            """,
        story: """
            Two people meet in a corridor. Both step aside to the same side, then both to the other, and so on.
            Neither stands still, and neither gets past.
            """,
        reason: """
            Nobody waits, so no deadlock is to be seen, and the processor is hot; but of all the steps none is
            progress. It comes from giving way in the same manner at the same time: the usual cure of a
            deadlock, overdone. The guide: such a thread is locked up as well, since it spends its time letting
            go of one lock and trying for another.
            """,
        sources: [
            #"Guide: Synchronization, "Watch Out for Deadlocks and Livelocks""#
        ],
        remedies: [
            "Take the locks in one order, and there is nothing to give way to.",
            """
            Wait a moment before the next try, of random length, and longer after each failure: then one of the
            two comes first.
            """,
            "Let one have precedence, by number or by age, or draw tickets.",
        ],
        confusion: """
            A deadlock (TL101), in which the threads stand still; starvation (TL402), in which others do get on;
            and a loop that merely takes long (TL702).
            """,
        example: ExamplePrograms(
            broken: #"""
                /// Two diners, two spoons: each takes one, finds the other one taken, and puts its own down again.
                scenario "livelock"

                /// how often they try: without an end to it, it would go on for ever
                parameter rounds = 100 in 1...10_000

                mutex spoon[2]
                atomic meals = 0
                barrier inStep(2)  // both do the same at the same time

                thread diner[2] {
                    repeat rounds {
                        lock spoon[index] {
                            inStep.wait()
                            if spoon[1 - index].tryLock() {
                                meals.add(1)
                                spoon[1 - index].unlock()
                            }
                            inStep.wait()
                        }
                    }
                }

                finally { assert meals.load() > 0, "\(rounds) rounds, and nobody has eaten" }

                expect livelock, assertion
                """#,
            mended: #"""
                /// Both diners begin with the same spoon: whoever has it gets the other one, too.
                scenario "livelock, mended"

                /// how often they eat
                parameter rounds = 100 in 1...10_000

                mutex spoon[2]
                atomic meals = 0

                thread diner[2] {
                    repeat rounds {
                        lock spoon[0] {
                            lock spoon[1] { meals.add(1) }
                        }
                    }
                }

                finally { assert meals.load() == 2 * rounds }

                expect completes
                """#))
}
