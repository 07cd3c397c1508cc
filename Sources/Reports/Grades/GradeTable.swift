import Trace

/// The grades of a class as text: a row for each student, and then the most frequent problems.
package struct GradeTable {
    private let book: GradeBook
    private let options: ReportOptions
    private static let mostMistakes = 10
    /// The number of tasks that are named beside a problem.
    private static let fewTasks = 3
    private static let gap = 2
    /// The width of the heading `student`.
    private static let leastNameWidth = 7
    /// The width of the last column, `passed`, with its gap.
    private static let passedWidth = 8
    /// The minimum width of a verdict, so that the number of a task, such as `12`, fits above it.
    private static let leastCellWidth = 2
    /// The width of the column of a verdict that is a single character.
    private static let signWidth = 3

    package init(_ book: GradeBook, _ options: ReportOptions) {
        self.book = book
        self.options = options
    }

    package func write(to sink: inout ByteSink) {
        let students = book.students.map { label($0) }
        let nameWidth = max(students.map(\.width).max() ?? 0, Self.leastNameWidth)
        let heads = book.tasks.map { label($0) }
        var cells = book.grades.map { label(Self.cell($0)) }
        func total(_ widths: [Int]) -> Int { nameWidth + Self.gap + widths.reduce(0, +) + Self.passedWidth }
        func cellWidth() -> Int { max(cells.map(\.width).max() ?? 0, Self.leastCellWidth) + Self.gap }
        var widths = heads.map { max($0.width + Self.gap, cellWidth()) }
        // If the names of the tasks do not fit, tasks are numbered, and named below the table. If that is not enough,
        // verdicts become single characters, such as `x`.
        let areNumbered = total(widths) > options.width
        if areNumbered { widths = heads.map { _ in cellWidth() } }
        let areSigns = total(widths) > options.width
        if areSigns {
            cells = book.grades.map { Label(Self.sign($0)) }
            widths = heads.map { _ in Self.signWidth }
        }
        var line = Line(options)
        func place(_ column: Int) -> Int { nameWidth + Self.gap + widths[..<column].reduce(0, +) }
        line.put(Label("student"), at: 0, .bold, to: &sink)
        for column in book.tasks.indices {
            line.put(areNumbered ? Label("\(column + 1)") : heads[column], at: place(column), .bold, to: &sink)
        }
        line.put(Label("passed"), at: place(book.tasks.count), .bold, to: &sink)
        line.end(to: &sink)
        for (number, student) in students.enumerated() {
            let row = book.row(number)
            line.put(student, at: 0, to: &sink)
            for (column, grade) in row.enumerated() {
                let cell = cells[number * book.tasks.count + column]
                line.put(cell, at: place(column), Self.color(grade), to: &sink)
            }
            line.put(Label("\(row.count(where: \.isPassed)) of \(row.count)"), at: place(book.tasks.count), to: &sink)
            line.end(to: &sink)
        }
        if areNumbered { writeLegend(areSigns, to: &sink) }
        writeMistakes(to: &sink)
    }

    private func label(_ text: String) -> Label { Label(text, ascii: options.ascii) }

    private static func cell(_ grade: GradeBook.Grade) -> String {
        grade.assessment == nil ? "-" : grade.isPassed ? "pass" : grade.assessment?.code ?? grade.outcome
    }

    private static func sign(_ grade: GradeBook.Grade) -> String {
        switch grade.assessment?.outcome {
        case .passed?: "+"
        case .failed?: "x"
        case .evading?: "!"
        case .undecided?: "?"
        case .wrong?, .error?: "w"
        case nil: "-"
        }
    }

    private static func color(_ grade: GradeBook.Grade) -> Color {
        grade.assessment == nil ? .dim : grade.isPassed ? .good : .bad
    }

    private func writeLegend(_ areSigns: Bool, to sink: inout ByteSink) {
        var line = Line(options)
        line.end(to: &sink)
        if areSigns {
            line.put(Label("+ passed  x failed  ! evading  ? undecided  w wrong  - missing"), at: 0, .dim, to: &sink)
            line.end(to: &sink)
        }
        for (number, task) in book.tasks.enumerated() {
            line.put(Label("\(number + 1)"), before: 4, .bold, to: &sink)
            line.put(label(task), at: 6, to: &sink)
            line.end(to: &sink)
        }
    }

    private func writeMistakes(to sink: inout ByteSink) {
        var line = Line(options)
        line.end(to: &sink)
        let there = book.grades.count { $0.assessment != nil }
        let passed = book.grades.count(where: \.isPassed)
        let missing = book.grades.count - there
        line.put(
            Label("\(passed) of \(there) submissions passed" + (missing > 0 ? ", \(missing) missing" : "")), at: 0,
            .bold,
            to: &sink)
        line.end(to: &sink)
        for mistake in book.mistakes.prefix(Self.mostMistakes) {
            line.put(Label("\(mistake.count)"), before: 4, to: &sink)
            line.put(Label(mistake.code), at: 6, .bold, to: &sink)
            let few = mistake.tasks.prefix(Self.fewTasks).joined(separator: ", ")
            let rest = mistake.tasks.count - Self.fewTasks
            let more = rest > 0 ? " and \(rest) more tasks" : ""
            line.put(label("\(GradeBook.meaning(mistake.code)) (\(few)\(more))"), at: 20, to: &sink)
            line.end(to: &sink)
        }
    }
}
