import Text
import Trace

extension Statement {
    /// A command to copy, and what it is for.
    package struct Command {
        let purpose: String
        /// As a shell reads them.
        let words: String

        package init(_ purpose: String, _ words: String) {
            self.purpose = purpose
            self.words = words
        }

        /// On a terminal a long command is continued as a shell continues it, so that it can still be copied. Elsewhere
        /// it is one line, however long.
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
            for (number, part) in parts.enumerated() {
                let isLast = number == parts.count - 1
                put(
                    Label(part, ascii: options.ascii), &column, indent + 2, isLast ? width : width - 2,
                    number == 0 ? nil : Label("\\"), &line, to: &sink)
            }
            line.end(to: &sink)
        }

        /// - Parameter mark: what the line ends with if the label needs another one.
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
