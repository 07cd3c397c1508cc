import Authoring
import CheckCommands
import Console
import Course
import Glibc
import LabSyntax
import Machine
import RunCommands
import Supervision
import Text
import Trace

/// `learn check` and `learn play`: how the learner's work is judged.
extension Learner {
    /// Judges the learner's file, prints the verdict, and notes it in the learner's folder.
    ///
    /// - Parameter word: the exercise. Nil: the present one.
    func check(_ word: String?) throws -> ExitCode {
        var folder = try requireFolder()
        let exercise = try exercise(word)
        let path = file(of: exercise)
        EndingWatch.begin(session.program)
        let ruling = try judge(exercise, path)
        try folder.note { $0.noteSolved(exercise, ruling.isPassed) }
        var lines = ["\(path.printable): \(Self.word(ruling.verdict))"]
        lines += ruling.sentences.flatMap { layout.paragraphs($0) } + ruling.details
        if ruling.isPassed {
            var learner = self
            learner.folder = folder
            lines +=
                learner.present.map { layout.wrap("Next: \($0.title) ('\(command("next"))')") }
                ?? layout.wrap("All exercises are solved. Well done.")
        } else {
            lines += shown(ruling, exercise, path) + layout.wrap("'\(command("hint"))' helps.")
        }
        try StandardOutput.write(lines.map { $0 + "\n" }.joined())
        return ruling.isPassed ? .expected : ruling.verdict == .wrong ? .usage : .finding
    }

    /// The lines with the run that shows the mistake and, if the run is shortened, the `explore` command that shows all
    /// of it. For the kinds `break` and `swift` there is no such command.
    private func shown(_ ruling: ExerciseRuling, _ exercise: Exercise, _ path: String) -> [String] {
        guard let run = ruling.run else { return [] }
        let excerpt = RunExcerpt(run, width: session.textWidth)
        var lines = [""] + excerpt.lines + [""]
        guard excerpt.isCut else { return lines }
        switch exercise.kind {
        case .break, .swift: break
        case .property: lines += ["All of it: \(session.program) explore \(path.quotedAsPath)"]
        case .fix, .write, .faster:
            lines += ["All of it: \(session.program) explore \(path.quotedAsPath) --against \(taskName(exercise))"]
        }
        return lines
    }

    private static func word(_ verdict: ExerciseRuling.Verdict) -> String {
        switch verdict {
        case .passed: "solved"
        case .failed: "not yet"
        case .wrong: "it cannot be read"
        case .undecided: "undecided"
        }
    }

    /// Judges the file with this path.
    func judge(_ exercise: Exercise, _ path: String) throws -> ExerciseRuling {
        let bytes = try InputFile(path).content(upTo: Limits.fileBytes + 1)
        let bench = try bench(for: exercise)
        do {
            return try ExerciseJudge(exercise, bench: bench).judge(
                bytes, file: path, program: programFile(of: exercise))
        } catch let problem as UnansweredQuestion {
            throw Complaint(problem.message, codeOfCourseMistake)
        } catch let interruption as Interrupted {
            throw Complaint("interrupted", .interrupted(by: interruption.signal))
        }
    }

    /// The path of the program of an exercise of the kind `break`, which is beside the learner's file.
    func programFile(of exercise: Exercise) -> String {
        String(file(of: exercise).dropLast(exercise.place.count)) + exercise.name + ".lab"
    }

    // MARK: - Play

    /// Lets the learner step through the program of an exercise of the kind `break`. If a run reaches the goal, its
    /// schedule becomes the learner's file, and is judged.
    func play(_ word: String?) throws -> ExitCode {
        let folder = try requireFolder()
        let exercise = try exercise(word)
        guard exercise.kind == .break else {
            throw Complaint(
                "learn play: \(exercise.name) is no exercise for a schedule: 'play \(file(of: exercise).printable)' steps through it"
            )
        }
        let path = programFile(of: exercise)
        let judge = try goal(of: exercise, path)
        // Under a weak model, as in the judge, only the claims that name the model count.
        let runnable = try session.files.configured(path, []).under(judge.model, alone: judge.model != .sc)
        var plan = RunPlan(runnable, .replay(Schedule()))
        if judge.model != .sc { runnable.adapt(&plan.rules) }
        let play = try PlayAction.playSession(plan, known: Schedule(), session)
        let (code, played) = try PlayAction.lead(play, name: path, isPlain: false, session)
        for schedule in played {
            guard case .reached = try judge.judge(schedule) else { continue }
            let text = "# \(number(of: exercise)) \(exercise.title): played\n\(schedule)\n"
            try folder.newFile(file(of: exercise), for: "the schedule").write { $0.write(text) }
            return max(code, try check(exercise.name))
        }
        try StandardOutput.write(layout.wrap("The goal was not reached.").map { $0 + "\n" }.joined())
        return max(code, .finding)
    }

    /// The judge of schedules for an exercise of the kind `break`.
    ///
    /// - Parameter path: the program's file.
    func goal(of exercise: Exercise, _ path: String) throws(Complaint) -> ScheduleJudge {
        do {
            return try ScheduleJudge(exercise, file: path)
        } catch {
            throw Complaint(error.message, codeOfCourseMistake)
        }
    }
}
