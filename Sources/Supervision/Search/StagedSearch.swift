import Authoring
import Exploration
import Machine

/// A search in stages. Each stage allows more than the one before, and is made only if that can make a difference.
///
/// The first stage follows the rules that were asked for. If all its executions are cut off, it is repeated with ten
/// times as many steps. If the program waits on conditions or has weak compare-exchanges, the next stage allows one
/// spurious wake-up or failure. If the program has code of its own with memory orders weaker than seqcst, another stage
/// lets reads see what these orders allow. What the user has decided, such as the step limit, stays as it is
/// (`SearchPlan.leaveOpen`). A later stage has the time that the earlier ones leave. A stage that another one may
/// follow gets half of the time.
package enum StagedSearch {
    typealias Stage = (SearchPlan) throws(SupervisionFailed) -> (SearchResult, [ExplainedFinding])

    /// - Parameter search: runs one search, and explains its findings.
    static func run(
        _ plan: SearchPlan, _ search: Stage
    ) throws(SupervisionFailed) -> (result: SearchResult, findings: [ExplainedFinding]) {
        let deadline = plan.searchEnd
        let steps = plan.scenario.addedSteps
        var (result, findings) = try searchToTheEnd(plan, until: deadline, search)
        var wider = plan
        wider.rules.maximumSteps = result.stepLimit
        var open = plan.freedoms
        // What a stage finds out about the program may make another stage matter.
        while let freedom = open.first(where: { result.admits($0, in: plan) }) {
            open.removeAll { $0 == freedom }
            let obstacle = wider.take(freedom, seeing: result.counts.traits)
            // A freedom that cannot be searched is reported as not proved.
            if deadline.isOver || obstacle != nil {
                result.add(WiderSearch(freedom, wider.rules, .withoutTime, obstacle: obstacle))
                continue
            }
            wider.time = plan.time == .max ? .max : deadline.left
            wider.explained = Set(result.findings.map(\.identity))
            let (more, others) = try search(wider)
            // If a compiled program has new steps, earlier schedules mean nothing, so everything is searched again.
            if plan.scenario.addedSteps != steps, !result.findings.isEmpty, !deadline.isOver {
                var again = plan
                again.time = wider.time
                return try run(again, search)
            }
            findings += others.map { $0.under(wider.rules) }
            result.add(WiderSearch(freedom, wider.rules, more))
            if result.stop == .interrupted { break }
        }
        return (result, findings)
    }

    /// Searches with as many steps as executions need to end, if they end within the time.
    private static func searchToTheEnd(
        _ plan: SearchPlan, until deadline: Deadline, _ search: Stage
    ) throws(SupervisionFailed) -> (SearchResult, [ExplainedFinding]) {
        var plan = plan
        let most = plan.rules.mostStepsOfModel
        var last: SearchResult?
        while true {
            let limit = plan.rules.maximumSteps
            plan.goal.givesUpEndless = plan.raisesSteps && limit < most
            let before = deadline.left
            var (result, findings) = try search(plan)
            result.stepLimit = limit
            // An earlier search with executions that were cut off says more than this one, which has none.
            if let last, result.counts.ended + result.counts.cutOff == 0, result.findings.isEmpty, result.stop == .time
            {
                return (last.withoutTime, [])
            }
            guard result.stop == .endless else {
                if last == nil { return (result, findings) }
                result.setRules(plan.rules)
                return (result, findings.map { $0.under(plan.rules) })
            }
            findings = []
            last = result
            plan.rules.maximumSteps = min(limit * 10, most)
            if plan.time == .max { continue }
            // Does not begin an execution that cannot reach the step limit in the time that is left.
            let nanoseconds = Double(before - deadline.left) / Double(max(1, result.counts.steps))
            guard nanoseconds * Double(plan.rules.maximumSteps) < Double(deadline.left) else {
                return (result.withoutTime, [])
            }
            plan.time = deadline.left
        }
    }
}

extension SearchResult {
    /// The same result, stopped because the time is over.
    fileprivate var withoutTime: SearchResult {
        var result = self
        result.stop = .time
        return result
    }
}

extension SearchPlan {
    /// Leaves open what the user has not decided.
    ///
    /// - Parameters:
    ///   - spurious: whether spurious wake-ups are undecided.
    ///   - model: whether the memory model is undecided. The orders of a `.lab` program are known before it is
    ///     searched.
    ///   - steps: whether the step limit is undecided.
    package mutating func leaveOpen(spurious: Bool, model: Bool, steps: Bool) {
        freedoms = []
        if spurious && rules.spuriousWakeups == 0 { freedoms.append(.spurious) }
        // A compiled program knows which of its orders are weaker.
        let hasOrders = scenario.traits.map { $0.contains(.weakOrders) } ?? (scenario.obstacle(under: .rc11) == nil)
        if model && rules.model == .sc && !scenario.isForNamedModelAlone && hasOrders { freedoms.append(.weakOrders) }
        raisesSteps = steps
    }

    /// The plan of a search that follows one of its findings, for a question about the finding or for a similar
    /// program.
    package func following(_ finding: Counterexample) -> SearchPlan {
        var plan = self
        plan.leaveOpen(spurious: false, model: false, steps: false)
        plan.explained = []
        plan.rules = finding.rules ?? rules
        return plan
    }

    /// Whether this stage has only half of the time, because another one may follow.
    func isShort(seeing traits: ProgramTraits) -> Bool {
        let known = scenario.traits ?? traits
        return time != .max && freedoms.contains { $0.matters(to: known) }
    }

    /// The maximum number of executions of a stage under rc11.
    private static let mostUnderWeakOrders = 20_000

    /// Allows a freedom that was left open.
    ///
    /// - Parameter traits: what executions have shown of the program.
    /// - Returns: why the program cannot be searched with it. Nil: it can.
    fileprivate mutating func take(_ freedom: WiderSearch.Freedom, seeing traits: ProgramTraits) -> String? {
        freedoms = []
        raisesSteps = false
        switch freedom {
        case .spurious: rules.spuriousWakeups = 1
        case .weakOrders:
            if let obstacle = scenario.obstacle(under: .rc11) { return obstacle }
            // A program whose own model is weaker is searched under that model from the start, unless a strategy that
            // only supports sc was asked for. Then no further stage follows, because its expectations differ under the
            // other model.
            if scenario.ownModel != .sc, let strategy {
                return "'\(strategy.rawValue)' searches sequentially consistent executions alone"
            }
            if traits.contains(.manyThreads) {
                return "under --model rc11, a program may have at most \(ExecutionGraph.mostThreads - 1) threads"
            }
            do { scenario = try scenario.under(.rc11, alone: false) } catch { return "\(error)" }
            rules.model = .rc11
            // Under rc11 a program has many more executions.
            executions = min(executions, Self.mostUnderWeakOrders)
            rules.limitSteps()
            // A strategy that only supports sc is replaced by the default ones.
            if let strategy, !strategy.follows(.rc11) { self.strategy = nil }
        }
        return nil
    }
}

extension SearchResult {
    /// Whether this freedom, which the plan leaves open, is searched next.
    fileprivate func admits(_ freedom: WiderSearch.Freedom, in plan: SearchPlan) -> Bool {
        guard discrepancy == nil, plan.prefix.choices.isEmpty else { return false }
        switch stop {
        case .interrupted, .fatalEnds, .memory: return false
        case .time, .executions, .endless, nil: break
        }
        if !plan.goal.keepsGoing, findings.contains(where: { plan.goal.ends(at: $0.kind) }) { return false }
        return freedom.matters(to: plan.scenario.traits ?? counts.traits)
    }

    /// The result of a search for which no time is left.
    fileprivate static var withoutTime: SearchResult {
        var result = SearchResult()
        result.stop = .time
        return result
    }
}
