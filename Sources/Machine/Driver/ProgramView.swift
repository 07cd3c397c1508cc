/// What the driver can see of the code between the steps, to find cycles.
package struct ProgramView {
    /// A hash of the code's state, without the machine's.
    package var hash: () -> UInt64
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
        hash: @escaping () -> UInt64, hasExpectations: Bool, judgesOnTheWay: Bool, waitsBesideLoops: Bool,
        makesProgress: @escaping (Int) -> Bool,
        isUnfulfilled: @escaping () -> Bool
    ) {
        self.hash = hash
        self.hasExpectations = hasExpectations
        self.judgesOnTheWay = judgesOnTheWay
        self.waitsBesideLoops = waitsBesideLoops
        self.makesProgress = makesProgress
        self.isUnfulfilled = isUnfulfilled
    }
}
