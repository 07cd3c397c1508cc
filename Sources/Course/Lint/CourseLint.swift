import LabProgram
import LabSyntax
import Text

/// Proves that a course is right: its texts can be read, its links have targets, each question has its answer, each
/// exercise begins as promised and can be solved, and a learner's files contain no solution.
package struct CourseLint {
    private let course: Course
    private let run: (String, Lesson) throws -> String?
    private let bench: (any SwiftBench)?
    private var problems: [CourseProblem]

    /// - Parameters:
    ///   - problems: the problems found when the course was read.
    ///   - bench: builds exercises in Swift. Nil: they are not built, which is reported as a problem.
    ///   - watch: called before each lesson is checked.
    ///   - run: runs a lesson's command in the folder of its programs, and returns the problem, if any.
    /// - Returns: all problems.
    package static func problems(
        of course: Course, adding problems: [CourseProblem], bench: (any SwiftBench)? = nil,
        watch: (Lesson) throws -> Void, run: @escaping (String, Lesson) throws -> String?
    ) throws -> [CourseProblem] {
        var lint = CourseLint(course: course, run: run, bench: bench, problems: problems)
        for lesson in course.lessons {
            try watch(lesson)
            try lint.check(lesson)
            for exercise in lesson.exercises { try lint.check(exercise) }
        }
        return lint.problems
    }

    private init(
        course: Course, run: @escaping (String, Lesson) throws -> String?, bench: (any SwiftBench)?,
        problems: [CourseProblem]
    ) {
        self.course = course
        self.run = run
        self.bench = bench
        self.problems = problems
    }

    private mutating func report(_ file: String, _ line: Int? = nil, _ message: String) {
        problems.append(CourseProblem(file, line, message))
    }

    // MARK: - Lessons

    private mutating func check(_ lesson: Lesson) throws {
        if lesson.exercises.isEmpty { report(lesson.path, nil, "the lesson has no exercise") }
        checkLinks(course.files.text(of: lesson.path) ?? "", lesson.path, from: lesson.name)
        for block in lesson.blocks {
            switch block {
            case .text: break
            case .program(let program): checkProgram(program.text, "\(lesson.name)/\(program.file)")
            case .run(let command, let line):
                if let problem = try run(command, lesson) { report(lesson.path, line, problem) }
            case .question(let question): check(question, lesson)
            }
        }
    }

    private mutating func checkProgram(_ text: String, _ path: String) {
        let reading = SourceText(name: path, text).read()
        guard let error = reading.diagnostics.first(where: { $0.severity == .error }) else { return }
        report(path, nil, error.message)
    }

    private mutating func check(_ question: Question, _ lesson: Lesson) {
        do {
            let answer = try question.answer()
            for missing in answer.missing {
                report(lesson.path, question.line, "an answer is not among the options: \(missing)")
            }
            if !answer.options.contains(where: \.isRight) {
                report(lesson.path, question.line, "no option is right")
            }
        } catch {
            report(lesson.path, question.line, error.message)
        }
    }

    /// Checks that each link of a page leads to a file of the course, or to the web.
    ///
    /// - Parameter folder: the page's folder.
    private mutating func checkLinks(_ text: String, _ path: String, from folder: String) {
        for link in text.matches(of: /\]\(([^)\s]+)\)/) {
            let target = String(link.1)
            if target.hasPrefix("https://") { continue }
            let parts = "\(folder)/\(target)".namesOfPath.reduce(into: [Substring]()) { parts, part in
                if part == ".." { _ = parts.popLast() } else { parts.append(part) }
            }
            if course.files.text(of: parts.joined(separator: "/")) == nil {
                report(path, nil, "the link '\(target)' leads to no file of the course")
            }
        }
    }

    // MARK: - Exercises

    private mutating func check(_ exercise: Exercise) throws {
        let path = exercise.path + "/exercise.md"
        checkLinks(course.files.text(of: path) ?? "", path, from: exercise.path)
        guard hasReadablePrograms(exercise) else { return }
        switch exercise.kind {
        case .break: try checkGoal(exercise, path)
        case .fix, .write, .faster, .property, .swift:
            let suffix = Exercise.taskFile(exercise.kind).suffix
            if exercise.solutions.isEmpty { report(path, nil, "it has no solution\(suffix)") }
            if exercise.kind == .property, exercise.mutants.isEmpty { report(path, nil, "it has no mutants/*.lab") }
            if exercise.kind == .swift, bench == nil {
                report(path, nil, "it is in Swift, and was not built: '--swift' builds and runs it, with your rights")
                break
            }
            try checkStart(exercise, path)
            try checkSubmissions(exercise)
        }
        for solution in exercise.solutions where solution.text == exercise.task {
            report(solution.path, nil, "the solution is what the learner begins with")
        }
    }

    private mutating func checkGoal(_ exercise: Exercise, _ path: String) throws {
        do {
            if try !ScheduleJudge(exercise, file: exercise.name + ".lab").isReachable() {
                report(path, nil, "no schedule reaches the goal, or the program has too many states")
            }
        } catch let problem as UnansweredQuestion {
            report(path, nil, problem.message)
        }
    }

    /// Whether the author's programs have no errors. With errors, which are reported, no submission can be judged.
    private mutating func hasReadablePrograms(_ exercise: Exercise) -> Bool {
        let task = Exercise.taskFile(exercise.kind)
        guard task.suffix == ".lab" else { return true }
        let own = [("\(exercise.path)/\(task.name)", exercise.task)] + exercise.mutants.map { ($0.path, $0.text) }
        let before = problems.count
        for (path, text) in own {
            let source = SourceText(name: path, text)
            guard let error = source.read().diagnostics.first(where: { $0.severity == .error }) else { continue }
            problems.append(
                CourseProblem(path, source.site(of: error.span.start).line, error.message, isWrongProgram: true))
        }
        return problems.count == before
    }

    /// The ruling on a submission. Nil: the exercise itself is wrong, which is reported.
    private mutating func ruling(_ text: String, _ exercise: Exercise) throws -> ExerciseRuling? {
        do {
            return try ExerciseJudge(exercise, bench: bench).judge(
                Array(text.utf8), file: exercise.submission, program: exercise.name + ".lab")
        } catch let problem as UnansweredQuestion {
            let path = "\(exercise.path)/\(Exercise.taskFile(exercise.kind).name)"
            let reason = problem.message.split(separator: "\n").first.map(String.init) ?? ""
            problems.append(CourseProblem(path, nil, reason, isWrongProgram: true))
            return nil
        }
    }

    /// Checks that the learner's file fails at the beginning, and in the way that the exercise promises.
    private mutating func checkStart(_ exercise: Exercise, _ path: String) throws {
        guard let ruling = try ruling(exercise.task, exercise) else { return }
        if ruling.isPassed { return report(path, nil, "what the learner begins with passes already") }
        // At the beginning there are no claims, so the ruling only says that they are missing.
        if exercise.kind == .property { return }
        if ruling.verdict != .failed {
            let file = Exercise.taskFile(exercise.kind).name
            return report("\(exercise.path)/\(file)", ruling.line, ruling.reason)
        }
        if let promise = exercise.failure, promise != ruling.code, !ruling.codes.contains(promise) {
            report(path, nil, "the start shows '\(ruling.code)', and 'Fails: \(promise)' promises something else")
        }
    }

    /// Checks that each solution passes, and that each mistake fails.
    private mutating func checkSubmissions(_ exercise: Exercise) throws {
        for solution in exercise.solutions {
            guard let ruling = try ruling(solution.text, exercise) else { return }
            if !ruling.isPassed {
                report(solution.path, ruling.line, "the solution does not pass: \(ruling.reason)")
            }
        }
        for mistake in exercise.mistakes {
            guard let ruling = try ruling(mistake.text, exercise) else { return }
            if ruling.verdict != .failed {
                report(
                    mistake.path, ruling.line,
                    "it should fail, but it is '\(ruling.verdict.rawValue)': \(ruling.reason)")
            }
        }
    }
}

extension ExerciseRuling {
    /// The main reason, on one line.
    fileprivate var reason: String {
        let first = sentences.first ?? details.first ?? verdict.rawValue
        return "\(code): \(first.split(separator: "\n").first ?? "")"
    }
}
