import Diagnosis
import Exploration
import Supervision
import Trace

/// A look at random executions when the search is over, for what it could not see: warnings in executions that ended well, and
/// locks taken in different orders where the scenario expects that.
struct RandomLook {
    /// How many executions were looked at, and how many of them ended well.
    private(set) var count = 0
    private(set) var goodEnds = 0
    private(set) var tally = FindingTally()
    private(set) var lockOrder: ExplainedFinding?
    private(set) var wasInterrupted = false

    init() {}

    /// - Parameter seeksLockOrder: whether locks taken in different orders are a finding. They are told as a warning otherwise.
    init(_ plan: SearchPlan, seeksLockOrder: Bool) throws(SupervisionFailed) {
        var runs = RandomRuns(plan, isExamined: true)
        while let run = try runs.next() {
            guard !run.trace.wasInterrupted else {
                wasInterrupted = true
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
