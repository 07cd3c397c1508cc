import Arguments
import Console
import Course
import Text

/// `threadlab learn`: a course in a terminal, with exercises whose solutions are judged over all interleavings. Also
/// writes a course as pages, checks a course for its author, and grades a class.
package enum LearnAction: Action {
    package struct Options: OptionGroup {
        let words: Listed<[String]>
        let watch, answers: Listed<Bool>
        let course, site: Listed<String?>
        let swift: ListedGroup<SwiftOptions>
        let grades: ListedGroup<GradeOptions>

        package init(_ list: inout OptionList) {
            words = list.any(
                "WHAT", .word(.lessons),
                "A lesson or an exercise by name or number, or: init DIR, next, check [FILE], hint [EXERCISE], list, "
                    + "play [EXERCISE], reset EXERCISE, lint, grade TASKS STUDENT...")
            watch = list.flag("watch", "Check the present exercise each time its file is saved")
            answers = list.flag("answers", "Show the answers to a lesson's questions, with a schedule for each")
            course = list.file(
                "course", placeholder: "DIR", "Take this course instead of the one that comes with threadlab")
            site = list.file("site", placeholder: "DIR", "Write the course as pages for a browser into this new folder")
            swift = list.group()
            grades = list.group()
            list.exclude([[watch, site, answers]])
        }
    }

    package static let command = TypedCommand<Options>(
        "learn", "Take a course, write one, or grade a class",
        discussion: """
            'learn init DIR' writes the exercises into a new folder; in it, 'learn' says where you are, 'learn next' what \
            comes next, and 'learn check' judges your file: over all interleavings, against the course's own expectations. 'learn hint' helps in steps. \
            What you have done is kept in the folder, in a file that you can read; nothing is sent anywhere.

            A lesson's questions are answered by the explorer: each answer comes with a schedule that shows it. \
            A course is a folder of texts and programs; 'learn lint --course DIR' proves yours: 'help courses' is its manual.

            'learn grade' judges the submissions of a class. The tasks are the files NAME.lab in the first folder, and the files task.lab in \
            folders NAME, as in a course. The submission of a task is the file NAME.lab in a student's folder, at any depth. Each is judged \
            as by 'check --against' ('help tasks'). The result does not depend on the machine, unless a time limit is reached. The exit code \
            is 0 if all submissions were judged, whatever their verdicts; 2 if a folder or a task cannot be read; 3 if threadlab itself \
            failed; and if it was interrupted, 128 plus the signal.
            """,
        examples: [
            Example("learn", "where you are, and what comes next"),
            Example("learn 1", "the first lesson"),
            Example("learn init my-course", "the exercises, to work on"),
            Example("learn list", "all lessons and exercises"),
            Example("learn grade scenarios scenarios", "a folder of tasks, and a student's folder"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        if let first = arguments.words.first, first == Verb.grade.rawValue { return try grade(arguments, in: session) }
        if let option = arguments.grades.given.first {
            throw Complaint("learn: \(option.spelling) is for 'learn grade'")
        }
        let learner = try Learner(arguments.course, arguments.swift, session)
        if let site = arguments.site { return try learner.writeSite(site) }
        if arguments.watch { return try learner.watch(arguments.words) }
        guard let first = arguments.words.first else { return try learner.showPlace() }
        let rest = Array(arguments.words.dropFirst())
        guard let verb = Verb(rawValue: first) else {
            guard rest.isEmpty else {
                throw Complaint("learn: unexpected '\(rest[0].printable)' after '\(first.printable)'")
            }
            return try learner.show(first, withAnswers: arguments.answers)
        }
        guard rest.count <= 1 else { throw Complaint("learn \(first): unexpected '\(rest[1].printable)'") }
        switch verb {
        case .initialize: return try learner.createFolder(rest.first)
        case .next: return try learner.showNext()
        case .check: return try learner.check(rest.first)
        case .hint: return try learner.hint(rest.first)
        case .list: return try learner.list()
        case .play: return try learner.play(rest.first)
        case .reset: return try learner.reset(rest.first)
        case .lint: return try learner.lint()
        case .grade: return try grade(arguments, in: session)
        }
    }

    private static func grade(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let options = arguments.options
        let others = [options.watch.name, options.answers.name, options.course.name, options.site.name]
        if let option = arguments.given.first(where: { others.contains($0.name) }) {
            throw Complaint("learn grade: \(option.spelling) is for the course")
        }
        return try Grading.run(
            Array(arguments.words.dropFirst()), arguments.grades, arguments.swift, in: session)
    }

    /// The first words that are not the name of a lesson or an exercise.
    enum Verb: String, CaseIterable {
        case initialize = "init"
        case next, check, hint, list, play, reset, lint, grade
    }

    /// The words that completion offers.
    package static var words: [KnownWord] {
        let course = CourseReader.read(LibraryCourse()).course
        return Verb.allCases.map { KnownWord($0.rawValue) }
            + (course?.lessons.map { KnownWord($0.name, $0.title) } ?? [])
            + (course?.exercises.map { KnownWord($0.name, $0.title) } ?? [])
    }
}
