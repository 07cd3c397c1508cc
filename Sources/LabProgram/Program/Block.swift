extension Program {
    package struct Block: Sendable {
        package var statements: [Statement] = []
        /// The slots that mean nothing outside of the block: those declared in it, and in blocks inside it.
        package var slots: Range<Int> = 0..<0
    }
}
