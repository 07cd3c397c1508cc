import Authoring
import Diagnosis
import LabExecution
import LabSyntax
import Machine
import Supervision
import Trace

/// The result of judging a submission of a task.
package enum TaskVerdict: Sendable {
    case passed
    /// The submission's runs violate the task's claims, or it waits busily although the task forbids that.
    case refuted([Mismatch])
    /// The submission lacks or changes something that the task gives or requires, or exceeds a limit. Nothing was run.
    case evading([Evasion])
    /// The submission has errors, as lines for people.
    case wrong(String)
    /// A limit of the search was reached before everything was tried, so it does not pass.
    case undecided([Mismatch])
    /// threadlab itself failed.
    case error(String)

    /// - Parameter result: the result of a check with the judge's plan.
    package init(_ result: TrialResult, of program: any Runnable) {
        if let failure = result.failure {
            self = .error(failure)
            return
        }
        let mismatches = Judgement.mismatches(
            result.evidence, program.expectation, states: program.soughtStates, needsProof: true)
        let refutations = mismatches.filter(\.isRefutation)
        guard refutations.isEmpty else {
            self = .refuted(refutations)
            return
        }
        // States that were not seen matter only if everything was tried.
        let gaps = mismatches.filter { if case .notProved = $0 { true } else { false } }
        self = mismatches.isEmpty ? .passed : .undecided(gaps.isEmpty ? mismatches : gaps)
    }

    /// The index of the verdict that decides when a submission was searched under several memory models: an error of
    /// threadlab comes first, then a failure of the submission, then an undecided search, then a pass. Of equal
    /// verdicts the first decides. Nil if there are none.
    package static func decisive(_ verdicts: [TaskVerdict]) -> Int? {
        verdicts.indices.max { (verdicts[$0].weight, -$0) < (verdicts[$1].weight, -$1) }
    }

    /// The greatest decides: see `decisive`.
    private var weight: Int {
        switch self {
        case .passed: 0
        case .undecided: 1
        case .refuted, .evading, .wrong: 2
        case .error: 3
        }
    }
}

/// A run that shows why a submission is wrong.
package struct ShownRun: Sendable {
    package let trace: TraceDocument
    /// What the run shows, as a line for people. Nil if it shows how the program ends wrongly, which needs no line.
    package let caption: String?
    /// Whether the end of the run matters more than its beginning, if it is too long to be shown whole.
    package let isAboutEnd: Bool

    package init(_ trace: TraceDocument, caption: String? = nil, isAboutEnd: Bool = true) {
        self.trace = trace
        self.caption = caption
        self.isAboutEnd = isAboutEnd
    }

    /// Finds a run that shows why the submission is wrong. Returns nil if no run does.
    ///
    /// - Parameter result: the result of a check that keeps traces.
    package init?(_ verdict: TaskVerdict, _ result: TrialResult) {
        guard case .refuted(let mismatches) = verdict else { return nil }
        func trace(_ kind: OutcomeKind?) -> TraceDocument? {
            result.traces.first { kind == nil || $0.kind == kind }.flatMap { try? TraceReader.read($0.content) }
        }
        for mismatch in mismatches {
            switch mismatch {
            case .notAllowed(let sighting, _):
                guard let trace = trace(sighting.outcome.kind) else { continue }
                self.init(trace)
            case .stateNotSeen:
                guard let trace = trace(nil) else { continue }
                // Whether threads keep each other out of a section is visible at the beginning of a run.
                self.init(
                    trace, caption: "One of its runs, in which it does not happen either:", isAboutEnd: false)
            case .busyWaiting(.found, _):
                guard let trace = trace(nil) else { continue }
                self.init(trace, caption: "A run that gets there:")
            case .busyWaiting, .outcomeNotSeen, .warningNotSeen, .notRepeatable, .notProved, .nothingSeen: continue
            }
            return
        }
        return nil
    }
}

/// Judges submissions of one task.
package struct TaskJudge {
    package let task: LabTask
    private let plan: CheckPlan

    /// - Parameter plan: how a submission is searched. Its time is for all memory models together.
    package init(_ task: LabTask, _ plan: CheckPlan = TaskJudge.plan()) {
        self.task = task
        self.plan = plan
    }

    /// How a submission is searched: only under the scheduler, until there is a proof. The limits are numbers of
    /// executions, steps and bytes, so that the verdict is the same on every machine.
    ///
    /// - Parameter time: a limit in nanoseconds that only protects the machine.
    package static func plan(time: UInt64 = UsualTime.judging) -> CheckPlan {
        var plan = CheckPlan(executions: mostExecutions, nativeRuns: 0, seed: 1, time: time)
        plan.needsProof = true
        plan.memory = mostMemory
        plan.steps = mostSteps
        return plan
    }

    private static let mostExecutions = 10_000
    /// The memory of a search by states, in bytes: 256 MiB.
    private static let mostMemory = 1 << 28
    /// The steps of one execution.
    private static let mostSteps = 10_000

    /// Judges one submission. Must be called while the process has one thread: it forks.
    ///
    /// - Returns: nil, if a signal interrupted it.
    /// - Throws: `SupervisionFailed`.
    package func judge(_ submission: SourceText) throws -> TaskVerdict? { try examine(submission)?.verdict }

    /// A verdict, a run that shows what is wrong, and the memory model of that run.
    package struct Examination: Sendable {
        package let verdict: TaskVerdict
        package var run: ShownRun?
        package var model = MemoryModel.sc
    }

    /// Judges one submission, and keeps a run that shows why it is wrong.
    package func examine(_ submission: SourceText) throws -> Examination? {
        do { return try examination(of: submission) } catch is Interrupted { return nil }
    }

    /// Judges one submission as `examine` does, but a signal makes it throw.
    ///
    /// - Throws: `Interrupted` after a signal; `SupervisionFailed`.
    package func examination(of submission: SourceText) throws -> Examination {
        switch JudgedProgram.read(submission, against: task) {
        case .wrong(let text): return Examination(verdict: .wrong(text))
        case .evading(let evasions): return Examination(verdict: .evading(evasions))
        case .program(let judged):
            do {
                return try examine(try judged.configured(task: nil).underEachModel())
            } catch let problem as UnsupportedModel {
                return Examination(verdict: .wrong("\(problem)"))
            }
        }
    }

    /// Searches the submission under each memory model, and returns the result that decides.
    ///
    /// - Parameter programs: the submission under each memory model that its orders or the task's claims require.
    private func examine(_ programs: [any Runnable]) throws -> Examination {
        var plan = plan
        plan.keepsTraces = true
        let end = Deadline(after: plan.time)
        var found: [Examination] = []
        for (number, program) in programs.enumerated() {
            // The remaining models share the time that is left equally.
            plan.time = max(1, end.left / UInt64(programs.count - number))
            let signal = try Check([program], plan, jobs: 1).run { _, result in
                let verdict = TaskVerdict(result, of: program)
                found.append(Examination(verdict: verdict, run: ShownRun(verdict, result), model: program.model))
                return true
            } progress: { _ in
            }
            if let signal { throw Interrupted(signal: signal) }
        }
        guard let decisive = TaskVerdict.decisive(found.map(\.verdict)) else {
            preconditionFailure("a submission is searched under a memory model")
        }
        return found[decisive]
    }
}
