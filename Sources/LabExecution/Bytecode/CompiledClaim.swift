/// A claim about the states of a run: the last one if it has completed, or each.
struct CompiledClaim {
    enum Kind {
        /// It must be true.
        case always
        case never
        /// It must be true in every state.
        case invariant
        /// It must be true in some state: whether it has been is kept in this shared word.
        case eventually(word: Int)
        /// If it is true, this is recorded.
        case sometimes
        /// Its value is the number of the matching row, plus one, or 0. A row must match. These are the rows' texts.
        case outcomes([String])
    }

    var kind: Kind
    /// A body that leaves its value in slot 0.
    var body: Int
    var text: String
    var line: Int
}
