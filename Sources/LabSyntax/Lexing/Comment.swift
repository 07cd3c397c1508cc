/// A `//` comment.
struct Comment {
    var span: Span
    /// `///`: it describes the following declaration.
    var isDescription: Bool
    /// Whether it is the first thing on its line.
    var startsLine: Bool
    /// The number of the token after it.
    var nextToken: Int
}
