import Authoring
import Diagnosis
import LabSyntax
import Supervision

/// What a submission of a task turns out to be.
package enum TaskVerdict: Sendable {
    case passed
    /// Its runs are not as the task claims, or it waits busily where it must not.
    case refuted([Mismatch])
    case evading([Evasion])
    /// It has errors, as lines for people.
    case wrong(String)
    /// A limit was reached before everything was tried: that is no pass.
    case notDecided([Mismatch])
    /// threadlab itself failed.
    case error(String)

    /// - Parameter result: what a check with the judge's plan has shown of the program.
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
        // What was not seen matters only if everything was tried.
        let gaps = mismatches.filter { if case .notProved = $0 { true } else { false } }
        self = mismatches.isEmpty ? .passed : .notDecided(gaps.isEmpty ? mismatches : gaps)
    }
}

/// Judges submissions of one task.
package struct TaskJudge {
    package let task: LabTask

    package init(_ task: LabTask) { self.task = task }

    /// How a submission is searched: only under the scheduler, until there is a proof. The limits are numbers of executions and states,
    /// so that the verdict is the same on another machine; the limit of time only protects the machine.
    package static func plan(time: UInt64 = 20_000_000_000) -> CheckPlan {
        var plan = CheckPlan(executions: mostExecutions, nativeRuns: 0, seed: 1, time: time)
        plan.needsProof = true
        plan.memory = mostMemory
        plan.steps = mostSteps
        plan.endsInTime = true
        return plan
    }

    private static let mostExecutions = 10_000
    private static let mostMemory = 1 << 28
    private static let mostSteps = 10_000

    /// Judges one submission. Must be called while the process has one thread: it forks.
    ///
    /// - Returns: nil, if a signal interrupted it.
    /// - Throws: `SupervisionFailed`.
    package func judge(_ submission: SourceText) throws -> TaskVerdict? {
        switch JudgedProgram.read(submission, against: task) {
        case .wrong(let text): return .wrong(text)
        case .evading(let evasions): return .evading(evasions)
        case .program(let judged):
            let program = try judged.configured(task: nil)
            var verdict: TaskVerdict?
            _ = try Check([program], Self.plan(), jobs: 1).run { _, result in
                verdict = TaskVerdict(result, of: program)
                return true
            } progress: { _ in
            }
            return verdict
        }
    }
}
