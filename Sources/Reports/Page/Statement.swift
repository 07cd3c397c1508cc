import Trace

/// A sentence with a label, followed by paragraphs, lines of source, and commands to copy.
package struct Statement {
    package let head: String
    package let sentence: String
    package let isGood: Bool
    /// Whether it proves nothing.
    package var isDoubtful = false
    package var paragraphs: [String] = []
    var source: [SourceLine] = []
    /// Paragraphs after the lines of source.
    var remarks: [String] = []
    package var commands: [Command] = []

    private static let indent = 2

    package init(_ head: String, _ sentence: String, isGood: Bool) {
        self.head = head
        self.sentence = sentence
        self.isGood = isGood
    }

    package func write(_ options: ReportOptions, to sink: inout ByteSink) {
        let start = Label("\(head):")
        var line = Line(options)
        line.put(start, at: 0, isGood ? isDoubtful ? .doubtful : .good : .bad, to: &sink)
        fill(sentence, indent: Self.indent, &line, start.width + 1, options, to: &sink)
        for paragraph in paragraphs {
            fill(paragraph, indent: Self.indent + 2, &line, Self.indent, options, to: &sink)
        }
        writeSource(&line, options, to: &sink)
        for remark in remarks { fill(remark, indent: Self.indent + 2, &line, Self.indent, options, to: &sink) }
        for command in commands {
            command.write(&line, at: Self.indent, options, to: &sink)
        }
    }

    private func writeSource(_ line: inout Line, _ options: ReportOptions, to sink: inout ByteSink) {
        let start = Self.indent + 2
        let column = start + (source.map(\.place.width).max() ?? 0) + 2
        for shown in source {
            let text = shown.text.clipped(to: max(options.width - column, 1), ascii: options.ascii)
            line.put(shown.place, at: start, .dim, to: &sink)
            line.put(text, at: column, to: &sink)
            line.end(to: &sink)
        }
    }

    /// Wraps a text between words to fit the width.
    ///
    /// - Parameter column: where the text of the first line begins; further lines begin at the indent.
    private func fill(
        _ text: String, indent: Int, _ line: inout Line, _ column: Int, _ options: ReportOptions,
        to sink: inout ByteSink
    ) {
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
