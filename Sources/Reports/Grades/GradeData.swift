import Trace

/// The grades of a class for scripts: a line of CSV for each student and task, or a JSON object. Without durations they
/// are the same on every machine.
package struct GradeData {
    /// The version of the JSON format.
    private static let version = 1

    private let book: GradeBook
    private let hasTimes: Bool

    package init(_ book: GradeBook, hasTimes: Bool) {
        self.book = book
        self.hasTimes = hasTimes
    }

    package func writeCSV(to sink: inout ByteSink) {
        put(["student", "task", "outcome", "code", "line", "message"] + (hasTimes ? ["seconds"] : []), to: &sink)
        for grade in book.grades {
            let words = [
                grade.student, grade.task, grade.outcome, grade.assessment?.code ?? "",
                grade.assessment?.line.map { "\($0)" } ?? "", grade.assessment?.message ?? "",
            ]
            put(words + (hasTimes ? [seconds(grade)] : []), to: &sink)
        }
    }

    private func put(_ words: [String], to sink: inout ByteSink) {
        sink.write(words.map(Self.field).joined(separator: ","))
        sink.endLine()
    }

    /// A field of CSV according to RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe.
    /// Semicolons and tabs are quoted too, because some spreadsheets separate fields by these.
    private static func field(_ word: String) -> String {
        var text = Label(word).text
        if let first = text.first, "=+-@".contains(first) { text = "'" + text }
        let isPlain = text.allSatisfy { !"\",;\t".contains($0) }
        return isPlain ? text : "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    private func seconds(_ grade: GradeBook.Grade) -> String { (grade.assessment?.duration ?? 0).seconds(digits: 3) }

    package func writeJSON(to sink: inout ByteSink) {
        sink.writeLine { json in
            json.member("grade", Self.version)
            json.array("students", book.students)
            json.array("tasks", book.tasks)
            json.member("passed", book.grades.count(where: \.isPassed))
            json.objects("mistakes", book.mistakes) { mistake, json in
                json.member("code", mistake.code)
                json.member("count", mistake.count)
                json.member("meaning", GradeBook.meaning(mistake.code))
                json.array("tasks", mistake.tasks)
            }
            json.array("grades", separator: ",\n") { json in
                json.endLine()
                for grade in book.grades { json.object { write(grade, to: &$0) } }
                if !book.grades.isEmpty { json.endLine() }
            }
        }
    }

    private func write(_ grade: GradeBook.Grade, to json: inout JSONObject) {
        json.member("student", grade.student)
        json.member("task", grade.task)
        json.member("outcome", grade.outcome)
        json.member("code", grade.assessment?.code)
        json.member("line", grade.assessment?.line)
        if let message = grade.assessment?.message, !message.isEmpty { json.member("message", message) }
        if hasTimes { json.member("seconds", JSONText(seconds(grade))) }
    }
}
