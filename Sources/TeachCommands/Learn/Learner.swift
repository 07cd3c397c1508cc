import Arguments
import Console
import Course
import Glibc
import Text

/// What the commands of `learn` work on: the course, and the learner's folder, if there is one. Each command is in an
/// extension.
struct Learner {
    let session: Session
    let course: Course
    /// The course's folder, as the command line or the learner's folder names it. Nil: the course that comes with
    /// threadlab.
    let courseFolder: String?
    /// The user's options for exercises in Swift.
    let swift: TypedArguments<SwiftOptions>
    var folder: LearnerFolder?

    /// - Parameters:
    ///   - path: the course's folder. Nil: the course from which the learner's folder was made or, without such a
    ///     folder, the one that comes with threadlab.
    ///   - swift: the user's options for exercises in Swift.
    init(_ path: String?, _ swift: TypedArguments<SwiftOptions>, _ session: Session) throws(Complaint) {
        self.session = session
        self.swift = swift
        folder = try LearnerFolder.around()
        courseFolder = path ?? folder?.progress.course
        course = try Self.course(courseFolder, session)
    }

    private static func course(_ folder: String?, _ session: Session) throws(Complaint) -> Course {
        var files: any CourseFiles = LibraryCourse()
        if let folder { files = try FolderCourse(folder) }
        let (course, problems) = CourseReader.read(files)
        guard let course, !course.lessons.isEmpty else {
            let reason = problems.first?.text ?? "it has no lessons"
            throw Complaint("\(files.name.printable) is no course: \(reason)", folder == nil ? .failure : .usage)
        }
        if let problem = problems.first, let folder {
            StandardError.write(
                "\(session.program): warning: \(folder.printable)/\(problem.text); "
                    + "'\(session.program) learn lint --course \(folder.quotedForShell)' shows all\n")
        }
        return course
    }

    var layout: Layout { Layout(width: session.textWidth) }

    /// The exit code for a mistake in the course. The course that comes with threadlab should have none.
    var codeOfCourseMistake: ExitCode { courseFolder == nil ? .failure : .usage }

    /// A command line that begins with `threadlab learn`, as the user typed the tool's name.
    func command(_ words: String) -> String { "\(session.program) learn\(words.isEmpty ? "" : " " + words)" }

    // MARK: - What words mean

    enum Subject {
        case lesson(Lesson)
        case exercise(Exercise)
    }

    /// A lesson by number or name; an exercise by name, path, number (`3.2`) or the name of its file.
    func subject(_ word: String) throws(Complaint) -> Subject {
        if let lesson = lesson(word) { return .lesson(lesson) }
        if let exercise = exercise(named: word) { return .exercise(exercise) }
        let names =
            course.lessons.map(\.name) + course.exercises.map(\.name) + LearnAction.Verb.allCases.map(\.rawValue)
        let hint = closest(to: word, among: names).map { "did you mean '\($0)'?" }
        throw Complaint(
            "learn: there is no lesson or exercise '\(word.printable)'; "
                + (hint ?? "'\(command("list"))' lists them"))
    }

    func lesson(_ word: String) -> Lesson? {
        if let number = Int(word) {
            return course.lessons.indices.contains(number - 1) ? course.lessons[number - 1] : nil
        }
        return course.lessons.first { $0.name == word }
    }

    func exercise(named word: String) -> Exercise? {
        let numbers = word.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        if numbers.count == 2, let first = numbers[0], let second = numbers[1] {
            guard course.lessons.indices.contains(first - 1) else { return nil }
            let exercises = course.lessons[first - 1].exercises
            return exercises.indices.contains(second - 1) ? exercises[second - 1] : nil
        }
        let name = word.lastNameOfPath.map(String.init) ?? word
        return course.exercises.first { [$0.path, $0.name].contains(word) || $0.submission == name }
    }

    func number(of lesson: Lesson) -> Int { course.lessons.firstIndex { $0.name == lesson.name }! + 1 }

    func number(of exercise: Exercise) -> String {
        let lesson = lesson(exercise.lesson)!
        return "\(number(of: lesson)).\(lesson.exercises.firstIndex { $0.name == exercise.name }! + 1)"
    }

    // MARK: - Where the learner is

    func isSolved(_ exercise: Exercise) -> Bool { folder?.progress.solved.contains(exercise.path) == true }

    /// The first exercise that has not been solved. Nil: all are solved.
    var present: Exercise? { course.exercises.first { !isSolved($0) } }

    /// The path of the exercise's file, as the learner would type it.
    func file(of exercise: Exercise) -> String {
        let lesson = lesson(exercise.lesson)!
        return (folder ?? LearnerFolder(path: ".", progress: Progress())).file(
            "\(Self.folderName(lesson, number(of: lesson)))/\(exercise.place)")
    }

    /// The name of a lesson's folder, such as `03-two-locks`.
    static func folderName(_ lesson: Lesson, _ number: Int) -> String {
        (number < 10 ? "0\(number)" : "\(number)") + "-" + lesson.name
    }

    /// The learner's folder. Throws if there is none.
    func requireFolder() throws(Complaint) -> LearnerFolder {
        guard let folder else {
            throw Complaint(
                "learn: this is no folder of exercises: '\(command("init my-course"))' makes one, and then 'cd my-course'"
            )
        }
        return folder
    }
}
