import Trace

/// Writes sentences that keep to the width.
struct Prose {
    private let options: ReportOptions

    static let indent = 2

    init(_ options: ReportOptions) { self.options = options }

    /// A sentence that begins with what kind of thing it says.
    func write(_ kind: String, _ sentence: String, _ colour: Colour, to sink: inout ByteSink) {
        let start = Label("\(kind):", ascii: options.ascii)
        var line = Line(options)
        line.put(start, at: 0, colour, to: &sink)
        fill(sentence, indent: Self.indent, &line, start.width + 1, to: &sink)
    }

    func write(paragraph: String, to sink: inout ByteSink) {
        var line = Line(options)
        fill(paragraph, indent: Self.indent + 2, &line, Self.indent, to: &sink)
    }

    /// One piece, however long: it is there to be copied.
    func write(command: String, as purpose: String, to sink: inout ByteSink) {
        var line = Line(options)
        line.put(Label("\(purpose): ") + Label(command, ascii: options.ascii), at: Self.indent, to: &sink)
        line.end(to: &sink)
    }

    /// Breaks a text between words.
    ///
    /// - Parameter column: where the first line's words begin; the others' begin at the indent.
    private func fill(_ text: String, indent: Int, _ line: inout Line, _ column: Int, to sink: inout ByteSink) {
        var column = column
        var isFirst = true
        for word in text.split(separator: " ") {
            let label = Label(String(word), ascii: options.ascii)
            if !isFirst && column + label.width > options.width {
                line.end(to: &sink)
                column = indent
            }
            line.put(label, at: column, to: &sink)
            column += label.width + 1
            isFirst = false
        }
        line.end(to: &sink)
    }
}
