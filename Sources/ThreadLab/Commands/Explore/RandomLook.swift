import Diagnosis
import Exploration
import Supervision
import Trace

/// An examination of random executions after the search, for what the search cannot see: warnings in executions that
/// completed, and locks taken in different orders where the scenario expects that.
struct RandomLook {
    /// The number of executions examined, and the number of those that completed.
    private(set) var count = 0
    private(set) var goodEnds = 0
    private(set) var tally = FindingTally()
    private(set) var lockOrder: ExplainedFinding?
    /// The signal that ended it early.
    private(set) var interruption: Int32?

    init() {}

    /// - Parameter seeksLockOrder: whether locks taken in different orders are a finding. Otherwise they are reported
    ///   as a warning.
    init(_ plan: SearchPlan, seeksLockOrder: Bool) throws(SupervisionFailed) {
        var runs = RandomRuns(plan, isExamined: true)
        while let run = try runs.next() {
            guard !run.trace.wasInterrupted else {
                interruption = run.trace.interruption
                break
            }
            count = runs.count
            guard let kind = run.trace.outcome?.kind, kind == .completed || kind == .lockOrder else { continue }
            goodEnds += 1
            if seeksLockOrder && kind == .lockOrder && lockOrder == nil {
                lockOrder = ExplainedFinding(kind, run.trace, latestOf: runs)
            }
            let warnings = run.findings.filter { $0.severity != .note && !(seeksLockOrder && $0.code == .lockOrder) }
            tally.add(warnings, of: run.trace, runs.count)
        }
    }
}
