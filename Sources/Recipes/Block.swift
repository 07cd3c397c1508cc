extension Recipe {
    /// What stands around a block of the program's own code.
    package struct Block: Sendable {
        /// Comes first. It yields whether the thread is to run the block; if not, nothing else follows.
        package let enter: Operation
        /// After the block, whichever way it was left without an error.
        package let leave: Operation
        /// Instead of `leave`, if an error left the block. In a `.lab` file an error ends the run, so it has no use there.
        package let abandon: Operation

        init(enter: [Statement], leave: [Statement], abandon: [Statement]) {
            self.enter = Operation(enter)
            self.leave = Operation(leave)
            self.abandon = Operation(abandon)
        }
    }
}
