import Authoring
import Diagnosis
import Exploration
import Machine
import Trace

/// Searches a scenario's executions under the scheduler, as `explore` does with one process, for all possible outcomes.
struct ControlledSearch {
    private var plan: SearchPlan
    private let keepsTraces: Bool

    /// When all expected outcomes have been seen, the search stops after this number of executions that show nothing
    /// new, because otherwise it might never end.
    private static let longestQuiet = 10_000
    /// The limit for computing between two steps is the time limit divided by this, and at most the default.
    private static let shareOfStep: UInt64 = 4
    /// The minimum time for the run of `example`, in nanoseconds.
    private static let reprieve: UInt64 = 300_000_000

    init(_ scenario: any Runnable, _ check: CheckPlan) {
        var plan = SearchPlan(scenario)
        plan.goal.keepsGoing = true
        plan.goal.longestQuiet = check.needsProof ? nil : Self.longestQuiet
        plan.settings.seed = check.seed
        plan.executions = check.executions
        plan.rules.maximumSteps = check.steps ?? scenario.defaultMaximumSteps
        plan.rules.limitSteps()
        plan.rules.spuriousWakeups = check.spurious ?? 0
        plan.leaveOpen(spurious: check.spurious == nil, model: !check.isModelGiven, steps: check.steps == nil)
        plan.memory = check.processMemory
        plan.settings.states.memory = check.memory ?? UsualMemory.ofStates(in: check.processMemory)
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
        let end = Deadline(after: plan.time)
        search.plan.end = end
        search.plan.time = end.leftForSearch
        return try search.gatherInTime()
    }

    private func gatherInTime() throws -> GatheredEvidence {
        let (result, findings) = try SearchSupervisor.run(plan, telling: .firstOfEachKind)
        if let signal = result.signal { throw Interrupted(signal: signal) }
        var evidence = Evidence(result, findings, plan)
        // Busy waiting does not matter in a program that has failed.
        let hasFailed = evidence.sightings.contains {
            !plan.scenario.expectation.allows($0.outcome.kind, on: .controlled)
        }
        let isWhole = evidence.isProof || evidence.extent == .part(.weakOrders)
        if plan.scenario.forbidsBusyWaiting, isWhole, !hasFailed {
            evidence.busyWaiting = busyWaiting()
        }
        try addRandomRuns(to: &evidence, orders: evidence.isProof ? result.counts.executions : nil)
        try addNeeds(of: findings, to: &evidence)
        var traces = traces(of: findings)
        if traces.isEmpty, let run = try example(evidence), let outcome = run.outcome { traces[outcome.kind] = run }
        return GatheredEvidence(evidence: evidence, traces: traces)
    }

    /// Adds to the first outcome that is not allowed whether it needs the weaker memory model, as far as that is known.
    /// Does nothing under sequential consistency.
    private func addNeeds(of findings: [ExplainedFinding], to evidence: inout Evidence) throws {
        guard plan.rules.followedModel != .sc else { return }
        let expectation = plan.scenario.expectation
        for explained in findings where explained.isConfirmed {
            let finding = explained.finding
            if expectation.allows(finding.kind, on: .controlled) { continue }
            guard let index = evidence.sightings.firstIndex(where: { $0.outcome.kind == finding.kind }) else {
                continue
            }
            if let remark = try SequentialSearch.answer(finding, plan).remark(on: finding.kind) {
                evidence.sightings[index].outcome.details.append(remark)
            }
            return
        }
    }

    /// A run to show for a mismatch that no trace of a finding shows: the run in which a thread waits busily or, if
    /// something that must be possible was not seen, any run. Nil: there is no such mismatch, or no trace is kept.
    private func example(_ evidence: Evidence) throws -> TraceDocument? {
        let mode: RunPlan.Mode
        // Only the execution is needed, not the step at which a thread waits, nor its place.
        if case .found(_, let execution, _)? = evidence.busyWaiting {
            do { mode = .replay(try Schedule(parsing: execution.schedule)) } catch {
                throw SupervisionFailed.internalError("the schedule of a run cannot be read: \(error.message)")
            }
        } else if evidence.seenStates.count < plan.scenario.soughtStates.count {
            mode = .controlled(seed: plan.settings.seed)
        } else {
            return nil
        }
        guard keepsTraces else { return nil }
        var run = RunPlan(plan.scenario, mode, rules: plan.rules)
        run.isSilent = true
        run.end = plan.end?.orAfter(Self.reprieve)
        return try Supervisor.run(run).trace
    }

    /// A trace for each outcome that is not allowed, if the plan keeps traces.
    private func traces(of findings: [ExplainedFinding]) -> [OutcomeKind: TraceDocument] {
        guard keepsTraces else { return [:] }
        let expectation = plan.scenario.expectation
        let surprises = findings.filter { !expectation.allows($0.finding.kind, on: .controlled) && $0.isConfirmed }
        return Dictionary(surprises.map { ($0.finding.kind, $0.trace) }) { first, _ in first }
    }

    // MARK: - Busy waiting

    /// A program with more states than this, counted without reduction, is not examined for busy waiting.
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

    /// Runs random executions with events, and adds what only events show: the order of locks, and promised warnings.
    /// Also adds an outcome that is not allowed and that the search has not found.
    ///
    /// - Parameter orders: the number of executions of the search, if it was complete.
    private func addRandomRuns(to evidence: inout Evidence, orders: Int?) throws {
        let random = try RandomEvidence(plan, orders: orders, seeksLockOrder: plan.scenario.judgesLockOrder)
        if let signal = random.interruption { throw Interrupted(signal: signal) }
        evidence.examined = random.evidence.examined
        evidence.warnings = random.evidence.warnings
        for case let found? in [random.lockOrder, random.surprise] {
            guard let outcome = found.trace.outcome, !evidence.shows(outcome.kind) else { continue }
            let execution = Evidence.Execution(
                number: found.finding.number, schedule: found.trace.header.schedule ?? "")
            evidence.add(Evidence.Sighting(count: 1, outcome: outcome, first: execution))
        }
    }
}
