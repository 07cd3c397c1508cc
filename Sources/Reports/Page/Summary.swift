import Trace

/// The end of a report: how the run ended, why, where to read on, and how to see it again.
struct Summary {
    let trace: TraceDocument
    let options: ReportOptions

    private static let indent = 2

    /// - Parameter isApart: whether an empty line comes first.
    func write(to sink: inout ByteSink, isApart: Bool = true) {
        var line = Line(options)
        if isApart { line.end(to: &sink) }
        if let outcome = trace.outcome {
            write(outcome, to: &sink)
        } else {
            write("cut off", "The trace stops before the run does.", .bad, to: &sink)
        }
        if let expectation = options.expectation { write(paragraph: expectation, to: &sink) }
        write(command: options.replay, as: "Replay", &line, to: &sink)
        write(command: options.stepwise, as: "Step by step", &line, to: &sink)
    }

    /// One piece, however long: it is there to be copied.
    private func write(command: String?, as purpose: String, _ line: inout Line, to sink: inout ByteSink) {
        guard let command else { return }
        line.put(Label("\(purpose): ") + Label(command, ascii: options.ascii), at: Self.indent, to: &sink)
        line.end(to: &sink)
    }

    private func write(_ outcome: Outcome, to sink: inout ByteSink) {
        write(outcome.kind.rawValue, outcome.summary, outcome.kind == .completed ? .good : .bad, to: &sink)
        for detail in outcome.details { write(paragraph: detail, to: &sink) }
        if let guide = outcome.guide { write(paragraph: "Guide: \(guide)", to: &sink) }
    }

    private func write(_ kind: String, _ sentence: String, _ colour: Colour, to sink: inout ByteSink) {
        let start = Label("\(kind):")
        var line = Line(options)
        line.put(start, at: 0, colour, to: &sink)
        fill(sentence, indent: Self.indent, &line, start.width + 1, to: &sink)
    }

    private func write(paragraph: String, to sink: inout ByteSink) {
        var line = Line(options)
        fill(paragraph, indent: Self.indent + 2, &line, Self.indent, to: &sink)
    }

    /// Breaks a text between words so that it keeps to the width.
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
