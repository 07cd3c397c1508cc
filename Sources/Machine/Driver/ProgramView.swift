/// What the driver can see of the code between the steps, to find cycles.
package struct ProgramView {
    /// A hash of the state of the code, without the machine's state, and, if asked, without counters.
    package var hash: (_ leavesOutCounters: Bool) -> UInt64
    /// By the machine's number of an object: whether it is a counter, on whose value nothing that threads do depends.
    /// Empty: the program has no counters, among its local variables neither.
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
