/// A range of the source text, in bytes.
package struct Span: Hashable, Sendable {
    package var start: Int
    package var end: Int

    package init(_ start: Int, _ end: Int) {
        self.start = start
        self.end = end
    }

    /// From the beginning of this one to the end of the other.
    package func through(_ other: Span) -> Span { Span(start, max(end, other.end)) }
}
