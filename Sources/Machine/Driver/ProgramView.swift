/// What the driver can see of the program's own state, between the steps of its threads. The driver needs it to find
/// cycles.
package struct ProgramView {
    /// A hash of the program's state, such as local variables and the threads' positions, without the machine's state.
    /// On request it leaves out counters.
    package var hash: (_ leavesOutCounters: Bool) -> UInt64
    /// By the machine's number of an object: whether it is a counter, which means that nothing that threads do depends
    /// on its value. Empty: the program has no counters, not even local ones.
    package var counters: [Bool]
    /// Whether the program says where its threads make progress, or what must happen.
    package var hasExpectations: Bool
    /// Whether the thread should make progress, and has not ended.
    package var makesProgress: (Int) -> Bool
    /// Whether something that must happen has not happened yet.
    package var isUnfulfilled: () -> Bool

    /// Whether something must happen, so that the values of memory during the execution matter.
    package var judgesOnTheWay: Bool

    /// Whether a thread can wait for a deadline while another one repeats a loop without a counter.
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
