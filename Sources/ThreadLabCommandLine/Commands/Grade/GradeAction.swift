import Arguments
import Authoring
import Course
import Glibc
import Judging
import LabSyntax
import Reports
import Supervision
import Text
import Trace

/// `threadlab grade TASKS DIR...`
enum GradeAction: Action {
    enum Format: String, CaseIterable { case table, csv, json }

    struct Options: OptionGroup {
        let paths: Listed<[String]>
        let format: Listed<Format>
        let html: Listed<String?>
        let times: Listed<Bool>
        let swift: ListedGroup<SwiftOptions>
        let time: Listed<UInt64>
        let jobs: Listed<Int?>
        let color: Listed<Terminal.ColorChoice>

        init(_ list: inout OptionList) {
            paths = list.any("PATH", .file, "The folder of tasks, and then a folder for each student")
            format = list.choice(
                "format",
                [
                    (Format.table, "a row for each student, and what went wrong most"),
                    (.csv, "a line for each submission"), (.json, "one object"),
                ], default: .table, placeholder: "FORMAT", "Output format")
            html = list.file(
                "html", placeholder: "DIR", "Write a page with the grades into this folder, and one for each submission"
            )
            times = list.flag("times", "Add how long each submission took, in CSV and JSON")
            swift = list.group()
            time = list.duration(
                "time", in: 1_000_000...86_400_000_000_000, default: DurationText.write(UsualTime.judging),
                "Time limit per submission, to protect the machine: one that reaches it is undecided")
            jobs = list.integer(
                "jobs", in: 1...1024, "Submissions to judge in parallel, by default one per processor core")
            color = list.color()
        }
    }

    static let command = TypedCommand<Options>(
        "grade", "Judge the submissions of a class",
        discussion: """
            The tasks are the files NAME.lab in the first folder, and the files task.lab in folders NAME, as in a course. The \
            submission of a task is the file NAME.lab in a student's folder, at any depth. Each is judged as by 'check \
            --against' ('help tasks'). The result does not depend on the machine, unless a time limit is reached.

            The exit code is 0 if all submissions were judged, whatever their verdicts; 2 if a folder or a task cannot be \
            read; 3 if threadlab itself failed; and if it was interrupted, 128 plus the signal.
            """,
        examples: [Example("grade scenarios scenarios", "a folder of tasks, and a student's folder")])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        guard let tasks = arguments.paths.first, arguments.paths.count > 1 else {
            throw Complaint("grade: name the folder of tasks, and then a folder for each student")
        }
        let students = try GradedStudents(Array(arguments.paths.dropFirst()))
        var run = GradeRun(try GradedTasks(tasks), students, session)
        let pages = try arguments.html.map { path throws(Complaint) in
            try OutputFolder(making: path, for: "grades")
        }
        EndingWatch.begin(session.program)
        let signal = try run.judge(
            TaskJudge.plan(time: arguments.time), jobs: arguments.jobs ?? Processors.count, try arguments.swift.bench())
        if let signal { return .interrupted(by: signal) }
        let book = run.book
        if let pages { try write(book, into: pages) }
        switch arguments.format {
        case .table:
            let options = session.reportOptions(arguments.color)
            try StandardOutput.write { GradeTable(book, options).write(to: &$0) }
        case .csv: try StandardOutput.write { GradeData(book, hasTimes: arguments.times).writeCSV(to: &$0) }
        case .json: try StandardOutput.write { GradeData(book, hasTimes: arguments.times).writeJSON(to: &$0) }
        }
        return run.hasFailed ? .failure : .expected
    }

    private static func write(_ book: GradeBook, into folder: OutputFolder) throws(Complaint) {
        let stems = TraceNames(
            book.grades.map { "\($0.student)-\($0.task)" }, besides: ["index"], suffix: ".html")
        let names = book.grades.indices.map { stems.name($0) }
        let pages = GradePages(book, names: names)
        try folder.file("index.html", for: "the index").write { pages.writeIndex(to: &$0) }
        for number in book.grades.indices where book.grades[number].assessment != nil {
            try folder.file(names[number], for: "the page").write { pages.writePage(number, to: &$0) }
        }
    }
}
