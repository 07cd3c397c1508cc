import Trace

/// A line of a report, written from left to right, without trailing blanks.
struct Line {
    private let colours: Bool
    private var position = 0

    init(_ options: ReportOptions) { colours = options.colour }

    /// The first column at which a label can be put.
    func next(gap: Int = 1) -> Int { position == 0 ? 0 : position + gap }

    /// Puts a label at a column, or after the existing text if that is later.
    ///
    /// - Parameter gap: the least number of blanks before it.
    mutating func put(
        _ label: Label, at column: Int, _ colour: Colour = .plain, gap: Int = 1, to sink: inout ByteSink
    ) {
        guard label.width > 0 else { return }
        let start = position == 0 ? column : max(column, position + gap)
        sink.write(spaces: start - position)
        let escape = colours ? colour.escape : ""
        if !escape.isEmpty { sink.write(escape) }
        sink.write(label.text)
        if !escape.isEmpty { sink.write(Colour.reset) }
        position = start + label.width
    }

    /// Puts a label so that it ends before a column.
    mutating func put(_ label: Label, before column: Int, _ colour: Colour = .plain, to sink: inout ByteSink) {
        put(label, at: max(column - label.width, 0), colour, to: &sink)
    }

    mutating func end(to sink: inout ByteSink) {
        sink.endLine()
        position = 0
    }
}
