/// A claim that is checked when a run has completed.
struct CompiledClaim {
    enum Kind {
        /// It must be true.
        case always
        case never
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
