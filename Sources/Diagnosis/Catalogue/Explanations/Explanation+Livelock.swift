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
            progress. It comes from giving way in the same manner at the same time, the usual cure of a
            deadlock overdone; or from a loop that looks at memory which no thread will change any more. The guide: such a
            thread is locked up as well, since it spends its time letting go of one lock and trying for another.
            """,
        sources: [
            #"Guide: Synchronization, "Watch Out for Deadlocks and Livelocks""#
        ],
        remedies: [
            """
            Find what the threads fail at, again and again: the report names it. Make sure that some thread
            changes it whatever the others do. Let one have precedence, by number or by age, or draw tickets.
            """,
            "Where threads give way because a lock is taken: take the locks in one order, and there is nothing to give way to.",
            """
            Where two threads try again in the same rhythm: wait a moment before the next try, of random length,
            and longer after each failure. Then one of the two comes first.
            """,
            """
            Where a loop only looks at memory: wait in a condition, or with 'await'. The loop costs nothing then, and if
            no thread is left to end it, that is reported as a deadlock.
            """,
        ],
        confusion: """
            A deadlock (TL101), in which the threads stand still; starvation (TL402), in which others do get on;
            and a loop that merely takes long (TL702).
            """,
        example: ExamplePrograms(
            remark: """
                On real threads it is given up after ten seconds, or with --timeout 1s after one.
                """,
            broken: #"""
                /// Two people at a door, and each lets the other one go first.
                scenario "livelock"

                atomic isOutside[2] = true

                thread person[2] {
                    while isOutside[1 - index].load() { sleep 1ms }  // after you
                    isOutside[index].store(false)
                }

                expect livelock
                """#,
            fixed: #"""
                /// Two people at a door, and it is agreed that person[0] goes first.
                scenario "livelock, fixed"

                atomic isOutside[2] = true

                thread person[2] {
                    while index == 1 && isOutside[0].load() { sleep 1ms }
                    isOutside[index].store(false)
                }

                expect completes
                """#))
}
