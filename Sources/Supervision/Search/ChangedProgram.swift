import Authoring
import Exploration
import Trace

/// A changed version of a program, searched to find out whether the change removes its failure.
package struct ChangedProgram {
    /// What the search has shown.
    package enum Judgement {
        /// No execution fails, and every state that some execution must reach was seen.
        case proved
        case fails(OutcomeKind)
        /// The search found no failure and is not a proof.
        case open
        case interrupted(Int32)
    }

    package let plan: SearchPlan
    package let result: SearchResult
    package let judgement: Judgement

    /// The default limit of executions. A change that fixes a small program is proved sooner.
    package static let mostExecutions = 3000

    /// Searches the program. Must be called while the process has one thread: it forks.
    ///
    /// - Parameters:
    ///   - plan: the search in which the original program failed.
    ///   - executions: the limit of executions.
    ///   - time: the time limit, in nanoseconds.
    package init(
        _ scenario: any Runnable, as original: SearchPlan, executions: Int = Self.mostExecutions, time: UInt64
    ) throws(SupervisionFailed) {
        var plan = SearchPlan(scenario)
        plan.settings = original.settings
        scenario.adapt(&plan.settings.rules)
        plan.stepTime = original.stepTime
        plan.freedoms = original.freedoms
        plan.executions = executions
        plan.time = time
        self.plan = plan
        let result = try SearchSupervisor.run(plan, telling: .none).result
        self.result = result
        judgement = Self.judge(result, of: scenario)
    }

    private static func judge(_ result: SearchResult, of scenario: any Runnable) -> Judgement {
        if let signal = result.signal { return .interrupted(signal) }
        if let finding = result.findings.first { return .fails(finding.kind) }
        let hasAll = result.seenStates.count == scenario.soughtStates.count
        return result.isProof && hasAll && result.discrepancy == nil ? .proved : .open
    }
}
