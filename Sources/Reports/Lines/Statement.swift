import Diagnosis
import Text
import Trace

/// A part of a report, such as a finding or how the run ended: a label and a sentence, followed by paragraphs, lines of
/// source, and commands to copy.
package struct Statement {
    /// The label.
    package let head: String
    package let sentence: String
    package let isGood: Bool
    /// Whether a good statement is not a proof, and so is shown in another color.
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
        writeSentence(options, to: &sink)
        writeRest(options, to: &sink)
    }

    /// Writes the label and the sentence.
    func writeSentence(_ options: ReportOptions, to sink: inout ByteSink) {
        let start = Label("\(head):")
        var line = Line(options)
        line.put(start, at: 0, isGood ? isDoubtful ? .doubtful : .good : .bad, to: &sink)
        fill(sentence, indent: Self.indent, &line, start.width + 1, options, to: &sink)
    }

    /// Writes what follows the sentence.
    func writeRest(_ options: ReportOptions, to sink: inout ByteSink) {
        var line = Line(options)
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
            let text = shown.text.clipped(to: max(options.width - column, shown.leastWidth), ascii: options.ascii)
            line.put(shown.place, at: start, .dim, to: &sink)
            line.put(text, at: column, to: &sink)
            line.end(to: &sink)
        }
    }

    /// Wraps a text between words to fit the width.
    ///
    /// - Parameter column: the column where the first line begins. Further lines begin at the indent.
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

extension Statement {
    /// A command to copy, and what it is for.
    package struct Command {
        let purpose: String
        /// The command, quoted for a shell.
        let words: String

        package init(_ purpose: String, _ words: String) {
            self.purpose = purpose
            self.words = words
        }

        /// On a terminal, a long command is broken with the shell's continuation marks, so that it can still be copied.
        /// Elsewhere it is one line, however long.
        func write(_ line: inout Line, at indent: Int, _ options: ReportOptions, to sink: inout ByteSink) {
            let whole = Label("\(purpose): ") + Label(words, ascii: options.ascii)
            guard let width = options.rowWidth, indent + whole.width > width else {
                line.put(whole, at: indent, to: &sink)
                return line.end(to: &sink)
            }
            var column = indent
            for word in "\(purpose):".split(separator: " ") {
                put(Label(String(word)), &column, indent + 2, width, nil, &line, to: &sink)
            }
            let parts = words.shellWords
            // All words but the last leave room for a blank and the continuation mark.
            for (number, part) in parts.enumerated() {
                let isLast = number == parts.count - 1
                put(
                    Label(part, ascii: options.ascii), &column, indent + 2, isLast ? width : width - 2,
                    number == 0 ? nil : Label("\\"), &line, to: &sink)
            }
            line.end(to: &sink)
        }

        /// Puts a word of the command, on another line if it does not fit.
        ///
        /// - Parameter mark: what to put at the end of the line before another one is begun. Nil: nothing.
        private func put(
            _ label: Label, _ column: inout Int, _ indent: Int, _ width: Int, _ mark: Label?, _ line: inout Line,
            to sink: inout ByteSink
        ) {
            if column > indent && column + label.width > width {
                if let mark { line.put(mark, at: column, to: &sink) }
                line.end(to: &sink)
                column = indent
            }
            line.put(label, at: column, to: &sink)
            column += label.width + 1
        }
    }
}

extension Statement {
    /// A finding for people: its summary, its story, its lines of source, why it is wrong, and how to fix it.
    package init(_ finding: Finding, in trace: TraceDocument, _ options: ReportOptions) {
        let explanation = finding.code.explanation
        self.init(
            "\(finding.severity.rawValue) \(finding.code.rawValue)", finding.summary, isGood: finding.severity == .note)
        paragraphs = finding.story
        source = SourceLine.all(of: finding, in: trace, options)
        remarks = ["Why: \(explanation.reason)"] + explanation.sources.prefix(1)
        if let remedy = finding.advice ?? explanation.remedies.first { remarks.append("Fix: \(remedy)") }
        commands = [Command(explaining: finding, options)].compactMap(\.self)
    }
}

extension Statement.Command {
    /// Nil: the report names no commands.
    init?(explaining finding: Finding, _ options: ReportOptions) {
        guard let program = options.program else { return nil }
        self.init("More", "\(program) explain \(finding.code.rawValue)")
    }
}
