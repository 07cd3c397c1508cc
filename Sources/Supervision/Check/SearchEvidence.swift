import Authoring
import Diagnosis
import Exploration
import Machine
import Trace

/// The results of a search as evidence, in the same form for every command, test and judge.
extension Evidence {
    /// - Parameter findings: the findings that were explained.
    package init(_ result: SearchResult, _ findings: [ExplainedFinding], _ plan: SearchPlan) {
        let discrepancy =
            result.discrepancy.map { "\($0.heading): \($0)" } ?? findings.lazy.compactMap(Self.discrepancy).first
        self.init(
            .controlled, runs: result.stages.reduce(0) { $0 + $1.counts.executions },
            discrepancy == nil ? Extent(result, plan) : .part(.uncontrolled),
            ended: result.stages.reduce(0) { $0 + $1.counts.ended },
            cut: result.cut, sightings: findings.map { Sighting($0, in: result, plan.scenario) },
            seenStates: result.seenStates, discrepancy: discrepancy)
        escape = result.escape.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        // Of several searches by states, the largest counts, because they visit the same states.
        visited = result.swarm?.mostStates ?? result.counts.states
    }

    private static func discrepancy(_ explained: ExplainedFinding) -> String? {
        guard explained.endedOtherwise else { return nil }
        let kinds = [explained.finding.kind, explained.repeatedAs].map { $0?.rawValue ?? "nothing" }
        return
            "not repeatable: an execution ended in \(kinds[0]), but in \(kinds[1]) when it was repeated with the same choices"
    }
}

extension Evidence.Sighting {
    fileprivate init(_ explained: ExplainedFinding, in result: SearchResult, _ scenario: any Runnable) {
        let kind = explained.finding.kind
        var outcome = explained.trace.outcome ?? Outcome(kind, summary: "")
        outcome.kind = kind
        outcome.details += explained.spuriousness
        if explained.isUnrepeated { outcome = Outcome(kind, summary: Self.unrepeated) }
        self.init(
            count: max(1, result.findings.count { $0.kind == kind }), outcome: outcome,
            first: Evidence.Execution(
                number: explained.finding.number, schedule: explained.schedule.description,
                options: explained.options(of: scenario)),
            place: explained.trace.place(of: outcome, judgesLockOrder: scenario.judgesLockOrder))
    }

    /// Shown for an execution without a trace.
    private static let unrepeated = "There was no time to repeat the execution; --time allows more."
}

extension ExplainedFinding {
    /// The options for those rules of its run that the scenario's name does not imply.
    fileprivate func options(of scenario: any Runnable) -> String {
        let limit = scenario.defaultMaximumSteps
        let rules = trace.header.rules.filter { rule in
            switch rule.name {
            case "spurious", "model": true
            case Rules.stepLimit: Int(rule.value) ?? 0 > limit
            default: false
            }
        }
        return scenario.options(rules)
    }
}

extension SearchResult {
    /// The search under the requested rules, and the searches under wider rules.
    fileprivate var stages: [SearchResult] { [self] + wider.map(\.result) }

    /// The executions that were cut off at the step limit. Nil: there were none, or their states were visited instead.
    package var cut: Evidence.Cut? {
        let cut = stages.filter { $0.counts.cutOff > 0 && $0.prover != .states }
        guard let steps = cut.map(\.stepLimit).max() else { return nil }
        return Evidence.Cut(executions: cut.reduce(0) { $0 + $1.counts.cutOff }, steps: steps)
    }

    /// What was tried exhaustively.
    package var explored: Explored {
        if total == nil, let last = wider.last, last.result.isProof { return last.result.explored }
        let kind: Explored.Kind =
            switch prover {
            case .states: .states
            case .graphs: .graphs
            case .dpor, nil: .traces
            case .dfs, .delay, .preempt, .roundRobin, .random, .pct, .pos, .urw, .surw: .interleavings
            }
        return Explored(kind, total ?? 0)
    }

    /// The assumptions under which the search, if it is complete, is a proof.
    package func premises(_ plan: SearchPlan) -> Premises {
        let all = stages
        return Premises(
            model: model(plan), passesTime: plan.rules.timeouts == .lazy && all.contains { $0.counts.timed > 0 },
            spurious: spurious(plan))
    }

    /// The name of the memory model under which the result holds: see `Premises.model`.
    private func model(_ plan: SearchPlan) -> String? {
        if let weak = wider.last(where: { $0.rules.followedModel != .sc }) { return weak.rules.model.rawValue }
        if plan.rules.followedModel != .sc { return plan.rules.model.rawValue }
        let hasWeakOrders = (plan.scenario.traits ?? counts.traits).contains(.weakOrders)
        let hasRace = counts.traits.contains(.races) || findings.contains { $0.kind == .race }
        return hasWeakOrders || hasRace ? plan.rules.model.rawValue : nil
    }

    private func spurious(_ plan: SearchPlan) -> Premises.Spurious? {
        let traits = plan.scenario.traits ?? counts.traits
        guard traits.maySpuriously else { return nil }
        let isOfUpdates = !traits.contains(.waits)
        guard let search = wider.first(where: { $0.freedom == .spurious }) else {
            return Premises.Spurious(limit: plan.rules.spuriousWakeups, isOfUpdates: isOfUpdates)
        }
        let isApart = total != nil && search.result.total != nil
        return Premises.Spurious(
            limit: search.rules.spuriousWakeups, apart: isApart ? search.result.explored : nil,
            isOfUpdates: isOfUpdates)
    }
}

extension Extent {
    /// What a search has covered.
    package init(_ result: SearchResult, _ plan: SearchPlan) {
        if result.stop == .memory {
            self = .part(.memory)
        } else if let gap = result.gaps.first {
            self = .part(Limit(gap, result))
        } else if plan.scenario.judgesLockOrder {
            self = .part(.lockOrder)
        } else {
            self = .all(result.explored, result.premises(plan))
        }
    }
}

extension Extent.Limit {
    fileprivate init(_ gap: Gap, _ result: SearchResult) {
        switch gap {
        case .abandoned(let obstacle): self = obstacle.isOfGraphs ? .noProver : .obstacle
        case .cutOff: self = .steps
        case .uncontrolled, .escaped: self = .uncontrolled
        case .noProver: self = .noProver
        case .wider(.spurious): self = .spurious
        case .wider(.weakOrders): self = .weakOrders
        case .memory, .swarm, .hashes, .bound: self = Self.end(of: result) ?? .bound
        case .unfinished: self = Self.end(of: result) ?? .runs
        }
    }

    private static func end(of result: SearchResult) -> Self? {
        if result.isQuiet { return .noNews }
        return switch result.stop {
        case .time: .time
        case .fatalEnds: .fatalEnds
        case .endless: .steps
        case .memory: .memory
        case .executions, .interrupted: .runs
        case nil: nil
        }
    }
}
