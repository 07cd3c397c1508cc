/// A word, number, text or sign of the source.
struct Token {
    enum Kind: Equatable {
        case name
        case keyword(Keyword)
        /// Digits and what follows them directly: an integer, or a duration with its unit.
        case number
        /// With its quotation marks.
        case text
        case symbol(Symbol)
        case end
    }

    var kind: Kind
    var span: Span
    /// Whether it is the first of its line. That can end a statement.
    var startsLine: Bool
}
