/// What the driver can see of the code between the steps, to find cycles.
package struct ProgramView {
    /// A hash of the code's state, without the machine's; and, if asked, without the words that only count.
    package var hash: (_ leavesOutCounters: Bool) -> UInt64
    /// By the machine's number of an object: whether its value only counts, so that nothing that threads do depends on it. Empty:
    /// there are no such words, in the code's state neither.
    package var counters: [Bool]
    /// Whether the program says where its threads make progress, or what must happen.
    package var hasExpectations: Bool
    /// Whether the thread is one that makes progress, and has not ended.
    package var makesProgress: (Int) -> Bool
    /// Whether something has not happened yet that must happen.
    package var isUnfulfilled: () -> Bool

    /// Whether something must happen: what memory holds on the way matters.
    package var judgesOnTheWay: Bool

    /// Whether a thread can wait for a moment while another one goes round a loop that nothing counts.
    package var waitsBesideLoops: Bool

    package init(
        hash: @escaping (_ leavesOutCounters: Bool) -> UInt64, counters: [Bool], hasExpectations: Bool,
        judgesOnTheWay: Bool, waitsBesideLoops: Bool,
        makesProgress: @escaping (Int) -> Bool,
        isUnfulfilled: @escaping () -> Bool
    ) {
        self.hash = hash
        self.counters = counters
        self.hasExpectations = hasExpectations
        self.judgesOnTheWay = judgesOnTheWay
        self.waitsBesideLoops = waitsBesideLoops
        self.makesProgress = makesProgress
        self.isUnfulfilled = isUnfulfilled
    }
}
