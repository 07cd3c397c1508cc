extension Recipe {
    /// The operations around a block of the program's own code.
    package struct Block: Sendable {
        /// Comes first. It returns whether the thread runs the block; if not, nothing else follows.
        package let enter: Operation
        /// Follows the block, unless an error left it.
        package let leave: Operation
        /// Replaces `leave` if an error left the block. In a `.lab` file an error ends the run, so it is not used
        /// there.
        package let abandon: Operation

        init(enter: [Statement], leave: [Statement], abandon: [Statement]) {
            self.enter = Operation(enter)
            self.leave = Operation(leave)
            self.abandon = Operation(abandon)
        }
    }
}
