import Authoring
import Diagnosis
import Exploration
import Machine
import Trace

/// What random executions after a search show of what it does not see: promised warnings in all of them, because how
/// often they occur is part of the evidence, and the first with locks taken in different orders, if that is sought.
package struct RandomEvidence {
    /// The number of executions that were run, and what they showed of the promised warnings, however they ended.
    package private(set) var evidence = Evidence(.controlled, runs: 0, .part(.runs))
    /// The first execution with locks taken in different orders.
    package private(set) var lockOrder: ExplainedFinding?
    /// The first execution that ended as none may. The search may have missed it, or ended before.
    package private(set) var surprise: ExplainedFinding?
    /// The signal that ended it early.
    package private(set) var interruption: Int32?

    /// Of no executions.
    package init() {}

    /// Runs executions while there is something to look for. Nothing is run for a scenario that promises nothing, unless
    /// the caller wants them all.
    ///
    /// - Parameters:
    ///   - seeksLockOrder: whether locks taken in different orders are a finding that has not been made yet.
    ///   - local: runs them in this process, on the calling thread, and receives their choices. Nil: they have processes
    ///     of their own.
    ///   - each: receives every execution and its number, even if nothing is promised.
    package init(
        _ plan: SearchPlan, seeksLockOrder: Bool, local: ChoiceMemory? = nil,
        each: ((SupervisedRun, Int) -> Void)? = nil
    ) throws(SupervisionFailed) {
        let promised = plan.scenario.expectation.warnings
        let wantsAll = each != nil || !promised.isEmpty
        var runs = RandomRuns(plan, local: local)
        while wantsAll || (seeksLockOrder && lockOrder == nil), let run = try runs.next() {
            interruption = run.trace.interruption
            if interruption != nil { return }
            evidence.runs = runs.count
            let execution = Evidence.Execution(number: runs.count, schedule: run.trace.header.schedule ?? "")
            if !promised.isEmpty { evidence.add(run.findings, promised: promised, in: execution) }
            if seeksLockOrder && lockOrder == nil && run.trace.outcome?.kind == .lockOrder {
                lockOrder = ExplainedFinding(.lockOrder, run, latestOf: runs)
            }
            if surprise == nil, let kind = Self.surprise(in: run.trace, plan) {
                surprise = ExplainedFinding(kind, run, latestOf: runs)
            }
            each?(run, runs.count)
        }
    }

    /// How the execution ended, if it may not. One that takes too long says nothing, to a search either.
    private static func surprise(in trace: TraceDocument, _ plan: SearchPlan) -> OutcomeKind? {
        guard let kind = trace.outcome?.kind, kind != .interrupted, kind != .timeout,
            !plan.scenario.expectation.allows(kind, on: .controlled)
        else { return nil }
        return kind
    }
}

extension Expectation {
    /// The promised warnings that no run showed.
    package func missingWarnings(in evidence: [Evidence]) -> [WarningKind] {
        warnings.filter { kind in !evidence.contains { $0.shows(kind) } }
    }
}
