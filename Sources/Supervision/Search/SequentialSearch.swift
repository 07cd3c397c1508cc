import Exploration
import Machine
import Trace

/// Finds out whether a finding under a weaker memory model needs that model, by a second search of the program under
/// sequential consistency.
package enum SequentialSearch {
    package enum Answer: Equatable, Sendable {
        /// All executions were searched, and none has the finding.
        case needsWeakMemory
        /// An execution has the finding.
        case isSequential
        /// Not all executions were searched, and none of those searched has the finding.
        case unknown
    }

    /// Searches for as long as the first search was allowed to take, but not beyond the end of the command. Must be
    /// called while the process has one thread: it forks.
    package static func answer(_ finding: Counterexample, _ plan: SearchPlan) throws -> Answer {
        var plan = plan.following(finding)
        if let end = plan.end { plan.time = min(plan.time, end.left) }
        if plan.time == 0 { return .unknown }
        plan.rules.model = .sc
        plan.strategy = nil
        plan.executions = .max
        plan.goal.keepsGoing = true
        plan.goal.countsTerminals = false
        let (result, _) = try SearchSupervisor.run(plan, telling: .none)
        if let signal = result.signal { throw Interrupted(signal: signal) }
        if result.discrepancy != nil { return .unknown }
        if result.findings.contains(where: { isSame($0, finding) }) { return .isSequential }
        return result.isProof ? .needsWeakMemory : .unknown
    }

    /// Only claims and assertions are compared by place: deadlocks, for example, can be alike and have different
    /// places.
    private static func isSame(_ one: Counterexample, _ other: Counterexample) -> Bool {
        guard one.kind == other.kind else { return false }
        return one.isOfClaim || one.kind == .assertion ? one.place == other.place : true
    }
}

extension SequentialSearch.Answer {
    /// What a report adds to a finding of this kind. Nil: nothing to add.
    package func remark(on kind: OutcomeKind) -> String? {
        switch self {
        // Under each model, memory orders decide whether accesses race, so the remark would mean nothing.
        case .isSequential where kind == .race: nil
        case .needsWeakMemory:
            "No sequentially consistent execution does this: all were searched. 'explain TL202' says what that means."
        case .isSequential: "A sequentially consistent execution does this, too: the memory model is not the cause."
        case .unknown: nil
        }
    }
}
