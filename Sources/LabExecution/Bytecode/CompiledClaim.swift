/// What is looked at when a run has completed.
struct CompiledClaim {
    enum Kind {
        /// It must come out true.
        case always
        case never
        /// That it comes out true is told.
        case sometimes
        /// It yields the number of the row that fits, plus one, or 0. It must fit. These are the rows' texts.
        case outcomes([String])
    }

    var kind: Kind
    /// A body that leaves its value in slot 0.
    var body: Int
    var text: String
    var line: Int
}
