import Trace

/// The grades of a class as pages of HTML: a table, and a page for each submission, with what is wrong and its text.
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
            sink.write(
                "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Grades\"><table>\n<thead><tr><th scope=\"col\">student</th>"
            )
            for task in book.tasks { sink.write("<th scope=\"col\">\(task.escapedForXML)</th>") }
            sink.write("<th scope=\"col\">passed</th></tr></thead>\n<tbody>\n")
            for (number, student) in book.students.enumerated() {
                sink.write("<tr><th scope=\"row\">\(student.escapedForXML)</th>")
                for (column, grade) in book.row(number).enumerated() {
                    write(grade, names[number * book.tasks.count + column], to: &sink)
                }
                sink.write("<td>\(book.row(number).count(where: \.isPassed))</td></tr>\n")
            }
            sink.write(
                "</tbody></table></div>\n<h2>What went wrong most</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Mistakes\"><table>\n"
            )
            sink.write(
                "<thead><tr><th scope=\"col\">submissions</th><th scope=\"col\">code</th><th scope=\"col\">what</th><th scope=\"col\">tasks</th></tr></thead>\n<tbody>\n"
            )
            for mistake in book.mistakes {
                sink.write(
                    "<tr><td>\(mistake.count)</td><th scope=\"row\">\(mistake.code.escapedForXML)</th><td>\(GradeBook.meaning(mistake.code).escapedForXML)</td><td>\(mistake.tasks.joined(separator: ", ").escapedForXML)</td></tr>\n"
                )
            }
            sink.write("</tbody></table></div>\n")
        }
    }

    private func write(_ grade: GradeBook.Grade, _ name: String, to sink: inout ByteSink) {
        guard grade.checked != nil else { return sink.write("<td>missing</td>") }
        let word = grade.isPassed ? "passed" : "\(grade.outcome): \(grade.code ?? "")"
        sink.write(
            "<td class=\"verdict \(grade.isPassed ? "good" : "bad")\"><a href=\"\(name.escapedForXML)\">\(word.escapedForXML)</a></td>"
        )
    }

    /// The page of one submission, by its number.
    package func writePage(_ number: Int, to sink: inout ByteSink) {
        let grade = book.grades[number]
        guard let checked = grade.checked else { return }
        Self.write(
            "\(grade.student): \(grade.task)", grade.isPassed ? "passed" : grade.outcome, isGood: grade.isPassed,
            to: &sink
        ) { sink in
            sink.write("<p><a href=\"index.html\">All grades</a></p>\n")
            let lines = CheckStory(checked).lines.map { Label($0.text).text }
            if !lines.isEmpty { sink.write("<pre>\(lines.joined(separator: "\n").escapedForCode)</pre>\n") }
            guard let text = grade.text else { return }
            sink.write("<h2>The submission</h2>\n<pre>")
            for (line, words) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                let count = "\(line + 1)"
                sink.write(
                    String(repeating: " ", count: max(0, 4 - count.count)) + count + "  "
                        + Label(String(words)).text.escapedForCode + "\n")
            }
            sink.write("</pre>\n")
        }
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
    /// For the content of `pre`, in which lines stay.
    fileprivate var escapedForCode: String {
        split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escapedForXML }.joined(
            separator: "\n")
    }
}
