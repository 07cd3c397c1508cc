import Authoring
import CheckCommands
import Console
import Course
import Judging
import LabExecution
import LabSyntax
import Reports
import Supervision
import Text
import Trace

/// `learn grade`: reads and judges all submissions of a class.
struct GradeRun {
    private let session: Session
    private let tasks: GradedTasks
    private let students: GradedStudents
    /// A grade for each student and task, with or without a submission. The numbers below are indices in this list.
    private var grades: [GradeBook.Grade] = []
    /// Submissions that are programs, each once for each memory model under which it is judged.
    private var programs: [(number: Int, program: any Runnable)] = []
    /// Other submissions: schedules, claims, and files in Swift.
    private var answers: [(number: Int, exercise: Exercise, path: String, content: [UInt8])] = []

    init(_ tasks: GradedTasks, _ students: GradedStudents, _ session: Session) {
        self.tasks = tasks
        self.students = students
        self.session = session
        for student in students.entries {
            for task in tasks.entries {
                grades.append(GradeBook.Grade(student: student.name, task: task.name))
                if let path = student.submissions[task.submission] { read(path, of: student, task) }
            }
        }
    }

    var book: GradeBook {
        GradeBook(students: students.entries.map(\.name), tasks: tasks.entries.map(\.name), grades: grades)
    }

    /// Whether threadlab itself failed with a submission.
    var hasFailed: Bool { grades.contains { $0.assessment?.outcome == .error } }

    /// Reads the submission for the grade that was appended last.
    private mutating func read(_ path: String, of student: GradedStudents.Entry, _ task: GradedTasks.Entry) {
        let number = grades.count - 1
        guard student.has(path) else {
            grades[number].assessment = .wrong("\(path.printable): it is a link that leads out of the student's folder")
            return
        }
        let source: SourceText
        do throws(Complaint) {
            source = SourceText(name: path, try InputFile(path).content(upTo: Limits.fileBytes + 1))
        } catch {
            grades[number].assessment = .wrong(error.message)
            return
        }
        if source.isText, source.bytes.count <= Limits.fileBytes {
            grades[number].text = String(decoding: source.bytes, as: UTF8.self)
        }
        switch task.content {
        case .task(let task, let taskPath): read(source, against: task, taskPath)
        case .exercise(let exercise): answers.append((number, exercise, path, source.bytes))
        }
    }

    private mutating func read(_ source: SourceText, against task: LabTask, _ path: String) {
        let number = grades.count - 1
        switch JudgedProgram.read(source, against: task) {
        case .wrong(let text): grades[number].assessment = .wrong(text)
        case .evading(let evasions): grades[number].assessment = .evading(evasions.map { .init($0, source) })
        case .program(let judged):
            do {
                programs += try judged.configured(task: path).underEachModel().map { (number, $0) }
            } catch {
                grades[number].assessment = .wrong("\(error)")
            }
        }
    }

    // MARK: - Judging

    /// Judges all submissions.
    ///
    /// - Parameter bench: builds exercises in Swift. Nil: they are not built.
    /// - Returns: the signal that interrupted the judging, or nil.
    mutating func judge(_ plan: CheckPlan, jobs: Int, _ bench: PackageBench?) throws -> Int32? {
        if let signal = try judgePrograms(plan, jobs: jobs) { return signal }
        for answer in answers {
            let judge = ExerciseJudge(
                answer.exercise, plan, jobs: jobs, findsShortest: false, bench: bench)
            let start = ContinuousClock.now
            do {
                let ruling = try judge.judge(
                    answer.content, file: answer.path, program: answer.exercise.name + LabFiles.suffix)
                grades[answer.number].assessment = GradeBook.Assessment(
                    ruling, width: session.textWidth, duration: UInt64(start.duration(to: .now) / .nanoseconds(1)))
            } catch let interruption as Interrupted {
                return interruption.signal
            } catch let problem as UnansweredQuestion {
                // A mistake in the exercise, not in the submission.
                throw Complaint(problem.message.printable)
            } catch {
                grades[answer.number].assessment = .init(.error, code: "error", message: "\(error)".printable)
            }
        }
        return nil
    }

    private mutating func judgePrograms(_ plan: CheckPlan, jobs: Int) throws -> Int32? {
        var plan = plan
        plan.keepsTraces = true
        let report = SubmissionReport(session: session, seed: plan.seed)
        let programs = programs
        var results: [TrialResult?] = Array(repeating: nil, count: programs.count)
        // The time limit of a submission is for all its memory models together. `sharers`, by index in `programs`: how
        // many programs share this limit.
        let counts = Dictionary(programs.map { ($0.number, 1) }) { $0 + $1 }
        let sharers = Dictionary(uniqueKeysWithValues: programs.enumerated().map { ($0, counts[$1.number] ?? 1) })
        let signal = try Check(programs.map(\.program), plan, jobs: jobs, sharers: sharers).run { index, result in
            if result.isRefused, let failure = result.failure { throw Complaint(failure.printable) }
            results[index] = result
            return true
        } progress: { _ in
        }
        for number in Set(programs.map(\.number)) {
            // The submission's programs, one for each memory model, with their results. A result is nil if the check
            // was interrupted before it.
            let all = programs.indices.filter { programs[$0].number == number }.map {
                (programs[$0].program, results[$0])
            }
            let verdicts = all.compactMap { program, result in result.map { TaskVerdict($0, of: program) } }
            guard verdicts.count == all.count, let decisive = TaskVerdict.decisive(verdicts),
                case (let program, let result?) = all[decisive]
            else { continue }
            let model = program.model == .sc ? "" : CheckSubject.conditionMark + program.model.rawValue
            grades[number].assessment = GradeBook.Assessment(report.checked(program.name + model, program, result))
        }
        return signal
    }
}

extension GradeBook.Assessment {
    fileprivate init(_ ruling: ExerciseRuling, width: Int, duration: UInt64) {
        let run = ruling.run.map { [""] + RunExcerpt($0, width: width).lines } ?? []
        let lines = ruling.sentences + ruling.details + run
        let message = lines.first.map { String($0.prefix { !$0.isNewline }) } ?? ""
        switch ruling.verdict {
        case .passed: self.init(.passed, lines: lines)
        case .failed: self.init(.failed, code: ruling.code, message: message, line: ruling.line, lines: lines)
        case .undecided:
            self.init(.undecided, code: ruling.code, message: message, lines: lines)
        case .wrong: self = .wrong(lines.joined(separator: "\n"))
        }
        self.duration = duration
    }
}
