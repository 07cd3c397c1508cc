import Diagnosis
import Exploration
import Supervision
import Trace

/// An examination of random executions after the search: what the scenario promises of them, and warnings in executions
/// that completed.
struct RandomLook {
    /// What they showed of promised warnings and, where the scenario expects that, of locks taken in different orders.
    private(set) var promises = RandomEvidence()
    /// The number of those that completed.
    private(set) var goodEnds = 0
    private(set) var tally = FindingTally()

    init() {}

    /// - Parameter seeksLockOrder: whether locks taken in different orders are a finding. Otherwise they are reported
    ///   as a warning.
    init(_ plan: SearchPlan, seeksLockOrder: Bool) throws(SupervisionFailed) {
        let warnings = plan.scenario.expectation.warnings
        var goodEnds = 0
        var tally = FindingTally()
        promises = try RandomEvidence(plan, seeksLockOrder: seeksLockOrder) { run, number in
            guard let kind = run.trace.outcome?.kind, kind == .completed || kind == .lockOrder else { return }
            goodEnds += 1
            let told = run.findings.filter { finding in
                let isPromised = finding.code.warning.map(warnings.contains) ?? false
                return (isPromised || finding.severity != .note) && !(seeksLockOrder && finding.code == .lockOrder)
            }
            tally.add(told, of: run.trace, number)
        }
        self.goodEnds = goodEnds
        self.tally = tally
    }

    /// The number of executions examined.
    var count: Int { promises.evidence.runs }
}
