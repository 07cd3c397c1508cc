import Console
import Course
import Text

/// `learn lint`, for the author of a course: proves that exercises can be solved, that questions have answers, and that
/// the commands in lessons work.
extension Learner {
    func lint() throws -> ExitCode {
        var files: any CourseFiles = LibraryCourse()
        if let courseFolder { files = try FolderCourse(courseFolder) }
        let problems = try inWorkshop { workshop in
            let bench = try swift.bench()
            return try CourseLint.problems(of: course, adding: CourseReader.read(files).problems, bench: bench) {
                lesson in
                if session.terminal.isTerminal { StandardError.write("\(lesson.title)\n") }
            } run: { command, lesson in
                try ToolOutput(of: command, in: "\(workshop)/\(lesson.name)").problem
            }
        }
        for problem in problems {
            try StandardOutput.write("\(courseFolder.map { "\($0.printable)/" } ?? "")\(problem.text)\n")
        }
        let questions = course.lessons.reduce(0) { $0 + $1.questions.count }
        let size = "\(course.lessons.count) lessons, \(questions) questions, \(course.exercises.count) exercises"
        let verdict = problems.isEmpty ? "nothing is wrong" : "wrong: \(problems.count)"
        try StandardOutput.write("\(size): \(verdict)\n")
        if problems.contains(where: \.isWrongProgram) { return .usage }
        return problems.isEmpty ? .expected : .finding
    }
}
