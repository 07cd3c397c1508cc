extension Program {
    package struct Block: Sendable {
        package var statements: [Statement] = []
        /// The slots that are not used outside of the block: those declared in it, and in nested blocks.
        package var slots: Range<Int> = 0..<0
    }
}
