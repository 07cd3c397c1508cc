import Authoring
import Course
import Glibc
import LabSyntax
import Machine
import Supervision
import Text
import Trace

/// `learn check`, `learn play`: what the judge says.
extension Learner {
    func check(_ word: String?) throws -> ExitCode {
        var folder = try requireFolder()
        let exercise = try exercise(word)
        let path = file(of: exercise)
        let ruling = try judge(exercise, path)
        try folder.note { $0.noteSolved(exercise, ruling.isPassed) }
        var lines = ["\(path.printable): \(ruling.isPassed ? "solved" : "not yet")"] + ruling.lines
        if ruling.isPassed {
            var learner = self
            learner.folder = folder
            lines += learner.present.map { layout.wrap("Next: \($0.title) ('\(command("next"))')") }
                ?? layout.wrap("All exercises are solved. Well done.")
        } else {
            lines += layout.wrap("'\(command("hint"))' helps.")
        }
        try StandardOutput.write(lines.map { $0 + "\n" }.joined())
        return ruling.isPassed ? .expected : .finding
    }

    /// What is said of a submission.
    struct Ruling {
        let isPassed: Bool
        let lines: [String]

        static func passed(_ lines: [String]) -> Self { Self(isPassed: true, lines: lines) }
        static func failed(_ lines: [String]) -> Self { Self(isPassed: false, lines: lines) }
    }

    func judge(_ exercise: Exercise, _ path: String) throws -> Ruling {
        let bytes = try InputFile(path).content(upTo: Limits.fileBytes + 1)
        do {
            switch exercise.kind {
            case .fix, .write, .faster: return .failed([])
            case .break: return try judgeSchedule(exercise, path, bytes)
            case .property: return try judgeClaims(exercise, path, bytes)
            }
        } catch let problem as UnansweredQuestion {
            throw Complaint("\(path.printable): \(problem.message)")
        } catch let interruption as Interrupted {
            throw Complaint("interrupted", .interrupted(by: interruption.signal))
        }
    }

    private func judgeSchedule(_ exercise: Exercise, _ path: String, _ bytes: [UInt8]) throws -> Ruling {
        let schedule: Schedule
        do {
            schedule = try Schedule(submission: String(decoding: bytes.prefix(Limits.fileBytes), as: UTF8.self))
        } catch {
            throw Complaint("\(path.printable): \(error.message.printable)")
        }
        let judge = try ScheduleJudge(exercise, file: programFile(of: exercise))
        guard !schedule.choices.isEmpty else {
            return .failed(layout.wrap("There is no schedule yet: '\(command("play \(exercise.name)"))' lets you choose each step."))
        }
        switch try judge.judge(schedule) {
        case .misfit(let reason): return .failed(layout.wrap("The schedule does not fit: \(reason)."))
        case .missed(let kind):
            let end = kind.map { "ends in '\($0.rawValue)'" } ?? "does not reach the goal"
            return .failed(layout.wrap("The run \(end)."))
        case .reached(let steps):
            let shortest = judge.shortest()?.stepCount
            let remark = shortest.map { $0 < steps ? "; the shortest way has \($0)" : ": there is no shorter way" } ?? ""
            return .passed(layout.wrap("Reached in \(steps) steps\(remark)."))
        }
    }

    /// The path of the program that an exercise of the kind `break` is about.
    private func programFile(of exercise: Exercise) -> String {
        String(file(of: exercise).dropLast(exercise.submission.count)) + exercise.name + ".lab"
    }

    private func judgeClaims(_ exercise: Exercise, _ path: String, _ bytes: [UInt8]) throws -> Ruling {
        let ruling = try PropertyJudge(exercise).judge(SourceText(name: path, bytes))
        if let refutation = ruling.refutation {
            return .failed(layout.wrap("Your claims do not hold for the program itself, which is right: \(refutation)."))
        }
        guard !ruling.survivors.isEmpty else {
            return .passed(layout.wrap("Your claims hold for the right program, and each of \(ruling.mutants) wrong ones breaks them."))
        }
        let caught = ruling.mutants - ruling.survivors.count
        return .failed(
            layout.wrap("Your claims hold for the right program, and \(caught) of \(ruling.mutants) wrong ones break them. The others pass unnoticed."))
    }

    // MARK: - Play

    func play(_ word: String?) throws -> ExitCode {
        _ = try requireFolder()
        let exercise = try exercise(word)
        guard exercise.kind == .break else {
            throw Complaint("learn play: \(exercise.name) is no exercise for a schedule: 'play \(file(of: exercise).printable)' steps through it")
        }
        let path = programFile(of: exercise)
        let runnable = try session.files.configured(path, [])
        let play = try PlayAction.session(RunPlan(runnable, .replay(Schedule())), known: Schedule(), session)
        let (code, played) = try PlayAction.lead(play, name: path, isPlain: false, session)
        let judge = try ScheduleJudge(exercise, file: path)
        for schedule in played {
            guard case .reached = try judge.judge(schedule) else { continue }
            let text = "# \(number(of: exercise)) \(exercise.title): played\n\(schedule)\n"
            try NewFile(at: file(of: exercise), for: "the schedule", orElse: "make its folder").write { $0.write(text) }
            return max(code, try check(exercise.name))
        }
        try StandardOutput.write(layout.wrap("The goal was not reached.").map { $0 + "\n" }.joined())
        return max(code, .finding)
    }
}
