import Trace

/// The grades of a class as HTML pages: a table, and a page for each submission with its problems and its text.
package struct GradePages {
    private let book: GradeBook
    /// The names of the files of the submissions' pages, in the order of the grades.
    private let names: [String]

    package init(_ book: GradeBook, names: [String]) {
        self.book = book
        self.names = names
    }

    package func writeIndex(to sink: inout ByteSink) {
        let passed = book.grades.count(where: \.isPassed)
        Self.write("Grades", "\(passed) of \(book.grades.count) passed", isGood: passed == book.grades.count, to: &sink)
        { sink in
            Self.writeWide("Grades", to: &sink) { writeGrades(to: &$0) }
            sink.write("<h2>What went wrong most</h2>\n")
            Self.writeWide("Mistakes", to: &sink) { writeMistakes(to: &$0) }
        }
    }

    private func writeGrades(to sink: inout ByteSink) {
        Self.writeHead(["student"] + book.tasks + ["passed"], to: &sink)
        for (number, student) in book.students.enumerated() {
            sink.write("<tr><th scope=\"row\">\(student.escapedForXML)</th>")
            for (column, grade) in book.row(number).enumerated() {
                write(grade, names[number * book.tasks.count + column], to: &sink)
            }
            sink.write("<td>\(book.row(number).count(where: \.isPassed))</td></tr>\n")
        }
        sink.write("</tbody></table>")
    }

    private func writeMistakes(to sink: inout ByteSink) {
        Self.writeHead(["submissions", "code", "what", "tasks"], to: &sink)
        for mistake in book.mistakes {
            sink.write("<tr><td>\(mistake.count)</td><th scope=\"row\">\(mistake.code.escapedForXML)</th>")
            sink.write("<td>\(GradeBook.meaning(mistake.code).escapedForXML)</td>")
            sink.write("<td>\(mistake.tasks.joined(separator: ", ").escapedForXML)</td></tr>\n")
        }
        sink.write("</tbody></table>")
    }

    private static func writeHead(_ columns: [String], to sink: inout ByteSink) {
        let cells = columns.map { "<th scope=\"col\">\($0.escapedForXML)</th>" }.joined()
        sink.write("<table>\n<thead><tr>\(cells)</tr></thead>\n<tbody>\n")
    }

    private func write(_ grade: GradeBook.Grade, _ name: String, to sink: inout ByteSink) {
        guard let assessment = grade.assessment else { return sink.write("<td>missing</td>") }
        let word = grade.isPassed ? "passed" : "\(grade.outcome): \(assessment.code ?? "")"
        sink.write(
            "<td class=\"verdict \(grade.isPassed ? "good" : "bad")\"><a href=\"\(name.escapedForXML)\">\(word.escapedForXML)</a></td>"
        )
    }

    /// Writes the page of the grade with this number, from 0. Nothing is written if there is no submission.
    package func writePage(_ number: Int, to sink: inout ByteSink) {
        let grade = book.grades[number]
        guard let assessment = grade.assessment else { return }
        Self.write(
            "\(grade.student): \(grade.task)", grade.isPassed ? "passed" : grade.outcome, isGood: grade.isPassed,
            to: &sink
        ) { sink in
            sink.write("<p><a href=\"index.html\">All grades</a></p>\n")
            let lines = assessment.lines.map { Label($0).text }
            if !lines.isEmpty {
                Self.writeWide("What is wrong", to: &sink) {
                    $0.write("<pre>\(lines.joined(separator: "\n").escapedForCode)</pre>")
                }
            }
            guard let text = grade.text else { return }
            sink.write("<h2>The submission</h2>\n")
            Self.writeWide("The submission", to: &sink) { sink in
                sink.write("<pre>")
                for (line, words) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                    let lineNumber = "\(line + 1)"
                    sink.write(
                        String(repeating: " ", count: max(0, 4 - lineNumber.count)) + lineNumber + "  "
                            + Label(String(words)).text.escapedForCode + "\n")
                }
                sink.write("</pre>")
            }
        }
    }

    /// Writes a part that can be wider than the window, and can then be scrolled with the keyboard.
    private static func writeWide(_ name: String, to sink: inout ByteSink, _ body: (inout ByteSink) -> Void) {
        sink.write("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"\(name)\">")
        body(&sink)
        sink.write("</div>\n")
    }

    private static func write(
        _ title: String, _ outcome: String, isGood: Bool, to sink: inout ByteSink, _ body: (inout ByteSink) -> Void
    ) {
        sink.write(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(PageTemplate.run.policyWithoutScript)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title.escapedForXML)</title>

            """)
        PageTemplate.run.writeStyles(to: &sink)
        sink.write(
            """
            </head>
            <body>
            <header><h1>\(title.escapedForXML)</h1>
            <p class="outcome \(isGood ? "good" : "bad")"><strong>\(outcome.escapedForXML)</strong></p></header>
            <main class="index">

            """)
        body(&sink)
        sink.write("</main>\n</body>\n</html>\n")
    }
}

extension String {
    /// The text escaped for the content of `pre`, which keeps lines.
    fileprivate var escapedForCode: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapedForXML }.joined(
            separator: "\n")
    }
}
