import Diagnosis
import Judging
import LabSyntax
import Machine
import Supervision
import Text
import Trace

/// The result of judging a submission.
package struct ExerciseRuling: Sendable {
    package enum Verdict: String, Sendable {
        case passed
        /// The submission does not do what the exercise asks for.
        case failed
        /// The submission has an error, and cannot be run.
        case wrong
        /// The submission does not pass because not everything could be tried: a limit was reached, or it was not run.
        case undecided
    }

    package var verdict: Verdict
    /// The main finding in a word: that of an outcome, or another one such as `evasion`, `claims` or `schedule`. Empty
    /// if the submission passed.
    package var code = ""
    /// All findings, if there can be several, in such words.
    package var codes: [String] = []
    /// The sentences of the ruling, a paragraph each.
    package var sentences: [String]
    /// Lines that are printed unchanged, such as lines of the submission with carets below.
    package var details: [String] = []
    /// The line of the submission to which a finding refers.
    package var line: Int?
    /// A schedule of the submission that shows the finding.
    package var schedule: String?
    /// A run that shows the finding.
    package var run: ShownRun?

    package var isPassed: Bool { verdict == .passed }
}

/// Judges a learner's submission.
package struct ExerciseJudge {
    package let exercise: Exercise
    private let plan: CheckPlan
    private let jobs: Int
    /// Whether a schedule that reaches the goal is compared with the shortest one.
    private let findsShortest: Bool
    private let bench: (any SwiftBench)?

    /// - Parameters:
    ///   - plan: how programs are searched.
    ///   - jobs: for the kind `property`, the number of programs that are searched in parallel.
    ///   - bench: builds exercises in Swift. Nil: they are not run.
    package init(
        _ exercise: Exercise, _ plan: CheckPlan = TaskJudge.plan(), jobs: Int = Processors.count,
        findsShortest: Bool = true, bench: (any SwiftBench)? = nil
    ) {
        self.exercise = exercise
        self.plan = plan
        self.jobs = jobs
        self.findsShortest = findsShortest
        self.bench = bench
    }

    /// Judges a submission. Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - submission: the contents of the learner's file.
    ///   - file: its path, for messages.
    ///   - program: if the submission is a schedule, the path of the program, for messages.
    /// - Throws: `UnansweredQuestion` if the exercise itself is wrong, and errors of threadlab.
    package func judge(_ submission: [UInt8], file: String, program: String) throws -> ExerciseRuling {
        switch exercise.kind {
        case .fix, .write, .faster: return try judgeProgram(SourceText(name: file, submission))
        case .break: return try judgeSchedule(submission, program)
        case .property: return try judgeClaims(SourceText(name: file, submission))
        case .swift:
            guard let bench else {
                return ExerciseRuling(
                    verdict: .undecided, code: "not-run",
                    sentences: ["A submission in Swift runs with your rights: '--swift' runs it."])
            }
            return try SwiftJudge(exercise: exercise, file: file).judge(submission, on: bench)
        }
    }

    // MARK: - Programs

    private func judgeProgram(_ submission: SourceText) throws -> ExerciseRuling {
        let task: LabTask
        do throws(LabTask.Problem) {
            task = try LabTask(SourceText(name: exercise.path + "/task.lab", exercise.task))
        } catch {
            throw UnansweredQuestion(message: error.message)
        }
        let examination = try TaskJudge(task, plan).examination(of: submission)
        switch examination.verdict {
        case .passed: return ExerciseRuling(verdict: .passed, sentences: ["No interleaving breaks it."])
        case .wrong(let text): return ExerciseRuling(verdict: .wrong, code: "error", sentences: [], details: [text])
        case .error(let message): throw SupervisionFailed(message)
        case .evading(let evasions):
            return ExerciseRuling(
                verdict: .failed, code: "evasion", sentences: [], details: evasions.map { $0.text(in: submission) },
                line: evasions.first.map { submission.site(of: $0.span.start).line })
        case .refuted(let mismatches):
            var ruling = ruling(on: mismatches, .failed, submission, examination.model)
            ruling.run = examination.run
            return ruling
        case .undecided(let mismatches): return ruling(on: mismatches, .undecided, submission, examination.model)
        }
    }

    private func ruling(
        on mismatches: [Mismatch], _ verdict: ExerciseRuling.Verdict, _ submission: SourceText, _ model: MemoryModel
    ) -> ExerciseRuling {
        // A state may be missing because of a failure, so if there are failures, only they have sentences.
        let failures = mismatches.filter(\.isFailure)
        var ruling = ExerciseRuling(
            verdict: verdict,
            sentences: Self.heading(model) + (failures.isEmpty ? mismatches : failures).map(\.sentence))
        ruling.codes = mismatches.map(\.word)
        ruling.code = ruling.codes.first ?? ""
        // The task's own claims are put after the submission's text, so their lines are not lines of the submission.
        let ownPlace = mismatches.compactMap(\.place).first { $0.line <= submission.lineCount }
        ruling.line = ownPlace?.line
        ruling.schedule = mismatches.first?.schedule
        return ruling
    }

    /// The first sentence, if the finding is about a memory model other than sc.
    private static func heading(_ model: MemoryModel) -> [String] {
        model == .sc
            ? [] : ["This is about runs under \(model.rawValue), which memory orders or the task's claims ask for:"]
    }

    // MARK: - Schedules

    private func judgeSchedule(_ submission: [UInt8], _ program: String) throws -> ExerciseRuling {
        let schedule: Schedule
        do {
            schedule = try Schedule(submission: String(decoding: submission.prefix(Self.longest), as: UTF8.self))
        } catch {
            return ExerciseRuling(verdict: .wrong, code: "schedule", sentences: [error.message.printable])
        }
        guard !schedule.choices.isEmpty else {
            return ExerciseRuling(verdict: .failed, code: "schedule", sentences: ["There is no schedule in it yet."])
        }
        let judge = try ScheduleJudge(exercise, file: program, until: Deadline(after: plan.time))
        switch try judge.judge(schedule) {
        case .misfit(let reason):
            return ExerciseRuling(
                verdict: .failed, code: "schedule", sentences: ["The schedule does not fit: \(reason)."])
        case .missed(let kind):
            let end = kind.map { "ends in '\($0.word)'" } ?? "does not reach the goal"
            var ruling = ExerciseRuling(
                verdict: .failed, code: "schedule", sentences: Self.heading(judge.model) + ["The run \(end)."])
            let count = schedule.stepCount
            let caption = "Your \(count == 1 ? "step" : "\(count) steps"), and how the run continues by itself:"
            ruling.run = ShownRun(try Supervisor.run(judge.plan(schedule)).trace, caption: caption, isAboutEnd: false)
            return ruling
        case .reached(let steps):
            return ExerciseRuling(
                verdict: .passed,
                sentences: [Self.praise(steps, shortest: findsShortest ? judge.shortest()?.stepCount : nil)])
        }
    }

    /// The maximum length of a submitted schedule in bytes.
    private static let longest = 1 << 16

    /// The sentence about a schedule that reaches the goal.
    ///
    /// - Parameter shortest: the number of steps of the shortest schedule. Nil: it is not known.
    private static func praise(_ steps: Int, shortest: Int?) -> String {
        guard let shortest else { return "Reached." }
        if steps == shortest { return "Reached in \(steps) steps, and there is no shorter way." }
        // A submitted schedule can leave out steps to which there is no alternative, and so have fewer than the
        // shortest.
        let reached = steps > shortest ? "Reached in \(steps) steps" : "Reached"
        return "\(reached); the shortest way has \(shortest)."
    }

    // MARK: - Claims

    private func judgeClaims(_ submission: SourceText) throws -> ExerciseRuling {
        let errors = submission.syntax().diagnostics.errors
        guard errors.isEmpty else {
            return ExerciseRuling(
                verdict: .wrong, code: "error", sentences: [], details: errors.map { $0.text(in: submission) })
        }
        guard !submission.claims.isEmpty else {
            return ExerciseRuling(
                verdict: .failed, code: "claims",
                sentences: ["There are no claims in it yet: write 'invariant …', 'expect …' or 'finally { … }'."])
        }
        let ruling: PropertyJudge.Ruling
        do {
            ruling = try PropertyJudge(exercise, plan, jobs: jobs).judge(submission)
        } catch let problem as UnansweredQuestion {
            return ExerciseRuling(verdict: .wrong, code: "claims", sentences: [problem.message])
        }
        if let refutation = ruling.refutation {
            var failed = ExerciseRuling(
                verdict: .failed, code: "claims",
                sentences: ["Your claims do not hold for the program itself, which is right. \(refutation.sentence)"])
            failed.run = ruling.run
            return failed
        }
        if let gap = ruling.gap {
            return ExerciseRuling(verdict: .undecided, code: gap.word, sentences: [gap.sentence])
        }
        let count = ruling.mutants == 1 ? "the wrong version breaks" : "each of \(ruling.mutants) wrong versions breaks"
        if ruling.survivors.isEmpty {
            return ExerciseRuling(
                verdict: .passed, sentences: ["Your claims hold for the right program, and \(count) one of them."])
        }
        let caught = ruling.mutants - ruling.survivors.count
        return ExerciseRuling(
            verdict: .failed, code: "claims",
            sentences: [
                "Your claims hold for the right program. Of \(ruling.mutants) wrong versions they catch \(caught): "
                    + "\(ruling.survivors.count) would pass."
            ])
    }
}

extension Mismatch {
    /// Whether some run shows the mismatch. Otherwise it is about what no run shows, or what is not known.
    fileprivate var isFailure: Bool {
        switch self {
        case .notAllowed, .busyWaiting(.found, _): true
        case .busyWaiting, .outcomeNotSeen, .stateNotSeen, .warningNotSeen, .notRepeatable, .notProved, .nothingSeen:
            false
        }
    }

    /// A sentence for the learner: what was seen and is not allowed, or was not seen and should be.
    fileprivate var sentence: String {
        switch self {
        case .notAllowed(let sighting, _): sighting.outcome.summary
        case .outcomeNotSeen(let kind, _): "No run ends in '\(kind.rawValue)'."
        case .stateNotSeen(let state, _): "No run shows '\(state)'."
        case .warningNotSeen(let warning, _): "No run shows the warning '\(warning.rawValue)'."
        case .notRepeatable(let discrepancy, _): "Its runs cannot be repeated: \(discrepancy)."
        case .notProved(let limit, _): Self.gap(limit)
        case .nothingSeen: "No run has ended: a loop in it may never end."
        case .busyWaiting(.found(let step, _, _), _): "A thread waits in a loop, instead of sleeping: \(step)."
        case .busyWaiting: "Whether a thread waits in a loop is not known: not all states were searched."
        }
    }

    /// Why not everything could be tried.
    private static func gap(_ limit: Extent.Limit) -> String {
        switch limit {
        case .time: "There was no time to try all interleavings."
        case .steps: "Some of its runs do not end, or are very long."
        case .spurious: "There are too many interleavings with a spurious wake-up to try all."
        case .weakOrders: "Not all that its memory orders allow could be tried: with seqcst, it can."
        case .runs, .memory, .noNews, .obstacle, .noProver, .bound: "There are too many interleavings to try all."
        case .fatalEnds, .uncontrolled, .lockOrder: "Not all of its interleavings could be tried."
        }
    }

    /// The line to which the mismatch refers, if it is known.
    fileprivate var place: Evidence.Place? {
        switch self {
        case .notAllowed(let sighting, _): sighting.place
        case .busyWaiting(.found(_, _, let place), _): place
        case .busyWaiting, .outcomeNotSeen, .stateNotSeen, .warningNotSeen, .notRepeatable, .notProved, .nothingSeen:
            nil
        }
    }

    /// The schedule that shows the mismatch.
    fileprivate var schedule: String? {
        switch self {
        case .notAllowed(let sighting, _): sighting.first?.schedule
        case .busyWaiting(.found(_, let execution, _), _): execution.schedule
        case .busyWaiting, .outcomeNotSeen, .stateNotSeen, .warningNotSeen, .notRepeatable, .notProved, .nothingSeen:
            nil
        }
    }

    /// The mismatch in a word.
    fileprivate var word: String {
        switch self {
        case .notAllowed(let sighting, _): sighting.outcome.kind.rawValue
        case .outcomeNotSeen: "outcome"
        case .stateNotSeen: "possible"
        case .warningNotSeen: "warning"
        case .notRepeatable: "not-repeatable"
        case .notProved, .nothingSeen: "undecided"
        case .busyWaiting: "busy-waiting"
        }
    }
}
