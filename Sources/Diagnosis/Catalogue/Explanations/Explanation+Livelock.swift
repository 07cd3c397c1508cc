extension Explanation {
    /// The text that `threadlab explain TL401` prints, with two programs, which tests run.
    static let livelock = Explanation(
        .livelock,
        meaning: """
            The threads are busy all the time but make no progress, because each undoes, or yields to, what others do.
            """,
        story: """
            Two people meet in a corridor. Both step aside to the same side, then both to the other, and so on.
            Neither stands still, and neither gets past.
            """,
        reason: """
            No thread stays blocked, so it does not look like a deadlock; threads keep taking steps, but none is
            progress. It happens when threads give way in the same manner at the same time, often
            as an overdone cure for a deadlock, or when a loop reads memory that no thread will ever change. The
            guide: such a thread is locked up too, because it spends all its time releasing one lock and trying
            for another.
            """,
        sources: [
            #"Guide: Synchronization, "Watch Out for Deadlocks and Livelocks""#
        ],
        remedies: [
            """
            Find what the threads keep failing at: the report names it. Let some thread change it whatever the others
            do. Give one thread precedence, by number, by age or by ticket.
            """,
            """
            Where threads give way because a lock is taken, take the locks in one order: then there is no need
            to give way.
            """,
            """
            Where two threads retry in the same rhythm, wait for a random time before the next try, and longer
            after each failure. Then one of them gets ahead.
            """,
            """
            Where a loop only reads memory, wait on a condition or with 'await'. That costs nothing, and if no
            thread is left to end the wait, it is reported as a deadlock.
            """,
        ],
        confusion: """
            A deadlock (TL101), in which the threads stand still; starvation (TL402), in which other threads do
            make progress; and a loop that is merely slow (TL702).
            """,
        belief: """
            "As long as something moves, it is no deadlock, so it is fine." Threads can be busy with each other forever,
            and nothing gets done.
            """,
        example: ExamplePrograms(
            remark: "On real threads it times out after ten seconds, or with --timeout 1s after one.",
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
                /// Two people at a door, where person[0] goes first, as agreed.
                scenario "livelock, fixed"

                atomic isOutside[2] = true

                thread person[2] {
                    while index == 1 && isOutside[0].load() { sleep 1ms }
                    isOutside[index].store(false)
                }

                expect completes
                """#))
}
