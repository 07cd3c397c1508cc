import Diagnosis
import Exploration
import Supervision
import Trace

/// An examination of random executions after the search, for what the search cannot see: warnings in executions that
/// completed, locks taken in different orders where the scenario expects that, and promised warnings.
struct RandomLook {
    /// The number of executions examined, and the number of those that completed.
    private(set) var count = 0
    private(set) var goodEnds = 0
    private(set) var tally = FindingTally()
    /// The promised warnings that were seen, in executions with any end.
    private(set) var promised: [Promised] = []
    private(set) var lockOrder: ExplainedFinding?
    struct Promised {
        let kind: WarningKind
        fileprivate(set) var count: Int
        /// The seed of the first execution that showed it.
        let seed: UInt64
    }

    /// The signal that ended it early.
    private(set) var interruption: Int32?

    init() {}

    /// - Parameter seeksLockOrder: whether locks taken in different orders are a finding. Otherwise they are reported
    ///   as a warning.
    init(_ plan: SearchPlan, seeksLockOrder: Bool) throws(SupervisionFailed) {
        let warnings = plan.scenario.expectation.warnings
        var runs = RandomRuns(plan, isExamined: true)
        while let run = try runs.next() {
            guard !run.trace.wasInterrupted else {
                interruption = run.trace.interruption
                break
            }
            count = runs.count
            let shown = Set(run.findings.compactMap(\.code.warning)).intersection(warnings)
            for kind in warnings where shown.contains(kind) { notePromised(kind, run.trace) }
            guard let kind = run.trace.outcome?.kind, kind == .completed || kind == .lockOrder else { continue }
            goodEnds += 1
            if seeksLockOrder && kind == .lockOrder && lockOrder == nil {
                lockOrder = ExplainedFinding(kind, run.trace, latestOf: runs)
            }
            let told = run.findings.filter { finding in
                let isPromised = finding.code.warning.map(warnings.contains) ?? false
                return (isPromised || finding.severity != .note) && !(seeksLockOrder && finding.code == .lockOrder)
            }
            tally.add(told, of: run.trace, runs.count)
        }
    }

    private mutating func notePromised(_ kind: WarningKind, _ trace: TraceDocument) {
        if let known = promised.firstIndex(where: { $0.kind == kind }) {
            promised[known].count += 1
        } else {
            promised.append(Promised(kind: kind, count: 1, seed: trace.header.seed ?? 0))
        }
    }
}
