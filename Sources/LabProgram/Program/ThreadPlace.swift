extension Program {
    /// The thread that a `spawn`, `join` or `detach` names.
    package struct ThreadPlace: Sendable {
        /// Its number in `Program.threads`.
        package var thread: Int
        /// The subscript. Nil: the single thread, or all of the array, one after the other.
        package var index: Expression?

        package init(thread: Int, index: Expression?) {
            self.thread = thread
            self.index = index
        }
    }
}
