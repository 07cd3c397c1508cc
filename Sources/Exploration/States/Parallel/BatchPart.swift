/// One state of a batch, and the moves that were found in it.
struct BatchPart: BitwiseCopyable {
    enum Kind: UInt8, BitwiseCopyable {
        case plain
        /// The execution has ended in it.
        case end
        /// Not all of its moves can be found without the machine.
        case left
        /// It must not be expanded in a batch.
        case alone
    }

    var kind = Kind.plain
    /// The number of the thread that has found its moves.
    var finder: Int32 = 0
    /// The first of them, and their number.
    var first = 0
    var count = 0
    /// A bit for each thread that can step when time has passed.
    var deadlines: UInt64 = 0
    /// The place of its first edge, if the edges of its piece are not together.
    var edge = 0

    var edgeCount: Int { count + deadlines.nonzeroBitCount }
}

/// States of a batch that one thread takes at once.
struct BatchPiece: BitwiseCopyable {
    /// The number of states that they have found; then the number of the first of these.
    var new = 0
    /// The number of moves that were found without the machine.
    var moves = 0
    /// The number of states in which an execution has ended.
    var ends = 0
    var edges = 0
    /// The place of the first edge. -1: see the parts.
    var edge = -1
    /// Whether a state is left to the machine, or to be expanded alone.
    var isSpecial = false
}
