import Authoring
import Diagnosis
import Exploration
import Machine
import Trace

/// Searches a scenario's executions under the scheduler, as `explore` does with one process, for all possible outcomes.
struct ControlledSearch {
    private var plan: SearchPlan
    private let keepsTraces: Bool

    /// Once everything expected was seen, the search stops after this many executions without anything new: it might go
    /// on like this forever.
    private static let longestQuiet = 10_000
    /// The limit for computing between two steps: a fraction of the time limit, and at most the usual one.
    private static let shareOfStep: UInt64 = 4

    init(_ scenario: any Runnable, _ check: CheckPlan) {
        var plan = SearchPlan(scenario)
        plan.goal.keepsGoing = true
        plan.goal.longestQuiet = check.needsProof ? nil : Self.longestQuiet
        plan.settings.seed = check.seed
        plan.executions = check.executions
        if let steps = check.steps { plan.rules.maximumSteps = steps }
        if let memory = check.memory { plan.settings.states.memory = memory }
        plan.time = check.share
        plan.stepTime = min(check.share / Self.shareOfStep, UsualTime.step)
        self.plan = plan
        keepsTraces = check.keepsTraces
    }

    /// Must be called while the process has one thread: it forks.
    ///
    /// - Throws: `SupervisionFailed` or `Interrupted`.
    func gather() throws -> GatheredEvidence {
        var search = self
        // All that follows the search may take as long as the search.
        search.plan.end = Deadline(after: plan.time * 2)
        return try search.gatherInTime()
    }

    private func gatherInTime() throws -> GatheredEvidence {
        let (result, findings) = try SearchSupervisor.run(plan, telling: .firstOfEachKind)
        if let signal = result.signal { throw Interrupted(signal: signal) }
        let discrepancy =
            result.discrepancy.map { "\($0.heading): \($0)" } ?? findings.lazy.compactMap(discrepancy).first
        var evidence = Evidence(
            .controlled, runs: result.counts.executions,
            discrepancy == nil ? extent(of: result) : .part(.uncontrolled),
            sightings: findings.map { sighting($0, in: result) }, seenStates: result.seenStates,
            discrepancy: discrepancy)
        if evidence.runs == 0 && evidence.sightings.isEmpty && result.total == nil { evidence.sightings = [Self.noEnd] }
        // One that has failed already is no solution in any case.
        let hasFailed = evidence.sightings.contains {
            !plan.scenario.expectation.allows($0.outcome.kind, on: .controlled)
        }
        if plan.scenario.forbidsBusyWaiting, evidence.isProof, !hasFailed {
            evidence.busyWaiting = busyWaiting()
        }
        try addRandomRuns(to: &evidence)
        try addNeeds(of: findings, to: &evidence)
        var traces = traces(of: findings)
        if traces.isEmpty, let run = try example(evidence), let outcome = run.outcome { traces[outcome.kind] = run }
        return GatheredEvidence(evidence: evidence, traces: traces)
    }

    /// Says of the first finding under a weaker memory model that is not allowed whether it needs that.
    private func addNeeds(of findings: [ExplainedFinding], to evidence: inout Evidence) throws {
        guard plan.rules.followedModel != .sc else { return }
        let expectation = plan.scenario.expectation
        for told in findings where told.isConfirmed && !expectation.allows(told.finding.kind, on: .controlled) {
            guard let index = evidence.sightings.firstIndex(where: { $0.outcome.kind == told.finding.kind }) else {
                continue
            }
            if let remark = try SequentialSearch.answer(told.finding, plan).remark(on: told.finding.kind) {
                evidence.sightings[index].outcome.details.append(remark)
            }
            return
        }
    }

    /// The run in which a thread waits busily; or, if something that must be possible is not, one of the runs.
    private func example(_ evidence: Evidence) throws -> TraceDocument? {
        let mode: RunPlan.Mode
        if case .found(_, let execution, _)? = evidence.busyWaiting {
            guard let schedule = try? Schedule(parsing: execution.schedule) else { return nil }
            mode = .replay(schedule)
        } else if evidence.seenStates.count < plan.scenario.soughtStates.count {
            mode = .controlled(seed: plan.settings.seed)
        } else {
            return nil
        }
        guard keepsTraces else { return nil }
        var run = RunPlan(plan.scenario, mode, rules: plan.rules)
        run.isSilent = true
        return try Supervisor.run(run).trace
    }

    /// One for each outcome that is not allowed, as far as they are kept.
    private func traces(of findings: [ExplainedFinding]) -> [OutcomeKind: TraceDocument] {
        guard keepsTraces else { return [:] }
        let expectation = plan.scenario.expectation
        let surprises = findings.filter { !expectation.allows($0.finding.kind, on: .controlled) && $0.isConfirmed }
        return Dictionary(surprises.map { ($0.finding.kind, $0.trace) }) { first, _ in first }
    }

    private func extent(of result: SearchResult) -> Extent {
        if let gap = result.gaps.first { return .part(limit(gap, result)) }
        if plan.scenario.judgesLockOrder { return .part(.lockOrder) }
        return .all(explored(result), passesTime: result.counts.timed > 0)
    }

    private func limit(_ gap: Gap, _ result: SearchResult) -> Extent.Limit {
        switch gap {
        case .abandoned(let obstacle): return obstacle.isOfGraphs ? .noProver : .obstacle
        case .cutOff: return .steps
        case .uncontrolled, .escaped: return .uncontrolled
        case .noProver: return .noProver
        case .memory, .swarm, .hashes, .bound, .spurious, .unfinished: break
        }
        if result.isQuiet { return .noNews }
        return switch result.stop {
        case .time: .time
        case .fatalEnds: .fatalEnds
        // A check sets no limit of memory.
        case .executions, .interrupted, .memory: .runs
        case nil: if case .unfinished = gap { .runs } else { .bound }
        }
    }

    private func explored(_ result: SearchResult) -> Explored {
        let kind: Explored.Kind =
            switch result.prover {
            case .states: .states
            case .graphs: .graphs
            case .dpor, nil: .traces
            case .dfs, .delay, .preempt, .roundRobin, .random, .pct, .pos, .urw, .surw: .interleavings
            }
        return Explored(kind, result.total ?? 0)
    }

    private func sighting(_ told: ExplainedFinding, in result: SearchResult) -> Evidence.Sighting {
        let kind = told.finding.kind
        let schedule = told.shrunk?.schedule ?? told.finding.schedule
        var outcome = told.trace.outcome ?? Outcome(kind, summary: "")
        outcome.kind = kind
        if told.isUnrepeated { outcome = Outcome(kind, summary: Self.unrepeated) }
        return Evidence.Sighting(
            count: result.findings.count { $0.kind == kind }, outcome: outcome,
            first: Evidence.Execution(number: told.finding.number, schedule: schedule.description),
            place: told.trace.place(of: outcome, judgesLockOrder: plan.scenario.judgesLockOrder))
    }

    private func discrepancy(_ told: ExplainedFinding) -> String? {
        guard told.endedOtherwise else { return nil }
        let kinds = [told.finding.kind, told.repeatedAs].map { $0?.rawValue ?? "nothing" }
        return
            "not repeatable: an execution ended in \(kinds[0]), but in \(kinds[1]) when it was repeated with the same choices"
    }

    /// Of an execution whose trace would say more.
    private static let unrepeated = "There was no time to repeat the execution; --time allows more."

    /// The sighting of a search whose first execution took all the time.
    private static let noEnd = Evidence.Sighting(
        count: 1, outcome: Outcome(.timeout, summary: "No execution ended within the time limit."),
        first: Evidence.Execution(number: 1, schedule: ""))

    // MARK: - Busy waiting

    /// More are not visited: a program that has more, without reduction, is too large for a judge.
    private static let mostStates = 100_000

    private func busyWaiting() -> Evidence.BusyWaiting {
        guard plan.rules.followedModel == .sc,
            let subject = plan.scenario.makeSubject(plan.rules, log: nil) as? any StatefulSubject
        else {
            return .unknown
        }
        let search = BusyWaitSearch(subject, plan.rules, most: Self.mostStates)
        let deadline = (plan.end ?? Deadline(after: plan.time)).at(most: plan.time)
        switch search.run(isStopped: { deadline.isOver }) {
        case .none: return .none
        case .unknown: return .unknown
        case .found(let step, let line, let schedule):
            let execution = Evidence.Execution(number: 1, schedule: schedule.description)
            return .found(step, execution, line > 0 ? Evidence.Place(file: plan.scenario.name, line: line) : nil)
        }
    }

    // MARK: - Random executions

    /// Adds what the search does not see: the order of locks, and promised warnings.
    private func addRandomRuns(to evidence: inout Evidence) throws {
        let orders = evidence.isProof ? evidence.runs : nil
        let look = try RandomEvidence(plan, orders: orders, seeksLockOrder: plan.scenario.judgesLockOrder)
        if let signal = look.interruption { throw Interrupted(signal: signal) }
        evidence.examined = look.evidence.examined
        evidence.warnings = look.evidence.warnings
        for case let found? in [look.lockOrder, look.surprise] {
            guard let outcome = found.trace.outcome, !evidence.shows(outcome.kind) else { continue }
            let execution = Evidence.Execution(
                number: found.finding.number, schedule: found.trace.header.schedule ?? "")
            evidence.add(Evidence.Sighting(count: 1, outcome: outcome, first: execution))
        }
    }
}
