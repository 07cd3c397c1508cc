/// A `//` comment.
struct Comment {
    var span: Span
    /// `///`: it describes what follows.
    var isDescription: Bool
    /// Whether nothing stands before it on its line.
    var startsLine: Bool
    /// The number of the token that comes after it.
    var nextToken: Int
}
