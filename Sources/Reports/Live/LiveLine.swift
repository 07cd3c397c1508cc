import Trace

/// A line that is never wider than its limit.
struct LiveLine {
    private var line: Line
    private var sink = ByteSink()
    private let ascii: Bool
    private let width: Int

    init(_ options: ReportOptions, width: Int) {
        line = Line(options)
        ascii = options.ascii
        self.width = width
    }

    /// See `Line`. What is beyond the limit is cut off.
    mutating func put(_ label: Label, at column: Int, _ colour: Colour = .plain, gap: Int = 1) {
        let start = max(column, line.next(gap: gap))
        guard start < width else { return }
        line.put(label.clipped(to: width - start, ascii: ascii), at: column, colour, gap: gap, to: &sink)
    }

    mutating func put(_ label: Label, before column: Int, _ colour: Colour = .plain) {
        put(label, at: max(column - label.width, 0), colour)
    }

    var text: String { String(decoding: sink.bytes, as: UTF8.self) }
}
