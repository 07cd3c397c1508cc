import Arguments
import Authoring
import CheckCommands
import Console
import Course
import Glibc
import Judging
import LabSyntax
import Reports
import Supervision
import Text
import Trace

/// The options of `learn grade`.
struct GradeOptions: OptionGroup {
    enum Format: String, CaseIterable { case table, csv, json }

    let format: Listed<Format>
    let html: Listed<String?>
    let times: Listed<Bool>
    let time: Listed<UInt64>
    let jobs: Listed<Int?>
    let color: Listed<Terminal.ColorChoice>

    init(_ list: inout OptionList) {
        list.head("With grade")
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
        time = list.duration(
            "time", in: 1_000_000...86_400_000_000_000, default: DurationText.write(UsualTime.judging),
            "Time limit per submission, to protect the machine: one that reaches it is undecided")
        jobs = list.integer(
            "jobs", in: 1...1024, "Submissions to judge in parallel, by default one per processor core")
        color = list.color()
    }
}

/// `threadlab learn grade TASKS DIR...`: judges the submissions of a class, and writes the grades.
enum Grading {
    static func run(
        _ paths: [String], _ arguments: TypedArguments<GradeOptions>, _ swift: TypedArguments<SwiftOptions>,
        in session: Session
    ) throws -> ExitCode {
        guard let tasks = paths.first, paths.count > 1 else {
            throw Complaint("learn grade: name the folder of tasks, and then a folder for each student")
        }
        let students = try GradedStudents(Array(paths.dropFirst()))
        var run = GradeRun(try GradedTasks(tasks), students, session)
        let pages = try arguments.html.map { path throws(Complaint) in
            try OutputFolder(making: path, for: "grades")
        }
        EndingWatch.begin(session.program)
        let signal = try run.judge(
            TaskJudge.plan(time: arguments.time), jobs: arguments.jobs ?? Processors.count, try swift.bench())
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

    /// Writes a page with all grades, and one for each submission.
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
