import Authoring
import Diagnosis
import Execution
import Exploration
import Machine
import Reports
import Supervision
import Trace

/// A call of `explore`: searches the schedules of a program, and fails the test if the result is not the expected one.
struct TestedSearch {
    private let plan: SearchPlan
    private let search: ScheduleSearch
    private let rules: RunRules
    private let place: CallPlace
    private let stepTime: UInt64?
    /// The schedule that is repeated instead of a search (`THREADLAB_REPLAY`). Nil: the program is searched.
    private let schedule: String?
    private let expectations: FailedExpectations?
    private let explain: ((ExplainedFinding) -> TestFailure)?

    /// - Parameters:
    ///   - environment: the settings to use. Nil: those of this process.
    ///   - explain: makes the failure for a finding. Nil: its report is the failure.
    init(
        _ program: any Runnable, _ request: SearchRequest, _ place: CallPlace,
        _ environment: EnvironmentSettings? = nil, explain: ((ExplainedFinding) -> TestFailure)? = nil
    ) throws(TestingError) {
        self.explain = explain
        if let reason = program.realThreadsOnly {
            throw TestingError("the scheduler cannot run '\(program.name)', \(reason): use 'run' for it")
        }
        let environment = if let environment { environment } else { try EnvironmentSettings.ofProcess() }
        let request = request.inTest
        if let executions = request.executions, executions < 1 {
            throw TestingError("'executions' is \(executions): it must be a number from 1")
        }
        search = request.search ?? .automatic
        rules = request.rules ?? RunRules()
        var plan = SearchPlan(program)
        plan.strategy = search.strategy
        plan.settings.seed = environment.seed ?? search.seed
        plan.settings.depth = search.depth
        plan.settings.bound = search.bound
        plan.rules = try rules.machineRules()
        plan.leaveOpen(
            spurious: rules.spuriousWakeups == nil, model: rules.model == nil, steps: rules.maximumSteps == nil)
        if let strategy = plan.strategy, !strategy.follows(plan.rules.model) {
            throw TestingError(
                "the strategy '\(strategy.rawValue)' searches under sc: leave it out under '\(plan.rules.model.rawValue)'"
            )
        }
        plan.executions = environment.executions ?? min(request.executions ?? .max, search.executions)
        let usualTime = plan.executions == .max ? Self.usualTime : .max
        plan.time = environment.time ?? request.time?.wholeNanoseconds ?? usualTime
        self.plan = plan
        stepTime = environment.stepTime
        schedule = environment.replay?.schedule(line: place.line)
        expectations = (program as? ClosureProgram)?.expectations
        self.place = place
    }

    /// The default time limit of a search that has no other limit, in nanoseconds.
    private static let usualTime: UInt64 = 5_000_000_000

    func run() throws -> ExplorationResult {
        try RunInsideRun.refuse("explore")
        if search.isIsolated { return try runIsolated() }
        let watchdog = StepWatchdog(.explaining("explore", at: place, limit: stepTime), plan.rules)
        defer { watchdog.stop() }
        let judgement = try collecting { try judged(local: watchdog.log) }
        try TestIssue.record(judgement, at: place)
        return judgement.result
    }

    private func runIsolated() throws -> ExplorationResult {
        let report = try IsolatedRun.report(of: IsolatedCall(place, search, rules), time: plan.time) {
            IsolatedReport(try collecting { try judgedInProcesses() })
        }
        // This process skips the call, so its result is that of no execution.
        guard let report else { return IsolatedReport(error: "").judgement.result }
        try TestIssue.record(report.judgement, at: place)
        return report.judgement.result
    }

    private func collecting<Result>(_ work: () throws -> Result) throws -> Result {
        guard let expectations else { return try work() }
        return try expectations.collect(during: work)
    }

    /// Searches in this process.
    ///
    /// - Parameter local: receives the choices of executions, for a message if one takes no step for too long.
    func judged(local: ChoiceMemory) throws -> TestJudgement {
        try judged(local: local) { try LocalSearch.run(explained($0, ofFork: false), log: local) }
    }

    /// Searches in processes that may crash. Must be called in a process that does nothing else (`IsolatedWorker`).
    func judgedInProcesses() throws -> TestJudgement {
        try judged(local: nil) { plan in
            var plan = plan
            plan.time = min(plan.time, plan.end?.leftForSearch ?? .max)
            return try SearchSupervisor.run(explained(plan, ofFork: true))
        }
    }

    /// The plan, with an explainer, which adds to each finding the calls by which the program reached its places.
    private func explained(_ plan: SearchPlan, ofFork isOfFork: Bool) -> SearchPlan {
        var plan = plan
        plan.makeExplainer = { () throws(SupervisionFailed) in try CallStacks(ofFork: isOfFork) }
        return plan
    }

    /// Makes the search, and judges its result.
    ///
    /// - Parameter local: receives the choices of executions in this process. Nil: they run in other processes.
    private func judged(
        local: ChoiceMemory?, _ search: (SearchPlan) throws -> (SearchResult, [ExplainedFinding])
    ) throws -> TestJudgement {
        let start = ContinuousClock.now
        var plan = plan
        plan.end = Deadline(after: plan.time)
        if let schedule {
            let replay = try TestedReplay(plan.scenario, schedule, nil, rules, place)
            return try replay.judged(local: local, since: start)
        }
        let foreign = ForeignUses.Watch()
        var (result, findings) = try search(plan)
        // Random executions after the search show the warnings that the program promises. They may also show an outcome
        // that the search has missed; and, if the search has found nothing, locks taken in different orders are sought.
        var random = RandomEvidence()
        if result.discrepancy == nil {
            let seeksLockOrder = plan.scenario.judgesLockOrder && findings.isEmpty
            random = try RandomEvidence(plan, seeksLockOrder: seeksLockOrder, local: local)
            if let lockOrder = random.lockOrder { findings.append(lockOrder) }
            if let surprise = random.surprise, !findings.contains(where: { $0.finding.kind == surprise.finding.kind }) {
                findings.append(surprise)
            }
        }
        if let use = foreign.use { result.discrepancy = .foreignThread(use.sentence) }
        let elapsed = ContinuousClock.now - start
        var judgement = TestJudgement(result: ExplorationResult(result, findings, elapsed))
        judgement.failure = failure(result, findings, random.evidence)
        if judgement.failure == nil && findings.isEmpty {
            judgement.warning = Shortfall(result, plan, self.search)?.warning
        }
        return judgement
    }

    // MARK: - Is it as expected?

    /// The failure of the test. Nil: the result is as expected.
    ///
    /// - Parameter random: what random executions after the search have shown.
    private func failure(
        _ result: SearchResult, _ findings: [ExplainedFinding], _ random: Evidence
    ) -> TestFailure? {
        switch result.discrepancy {
        case .repetition(let difference):
            return TestFailure("the closure does not do the same every time: \(difference). \(Self.advice)")
        case .foreignThread(let sentence): return TestFailure("\(sentence). \(ForeignThreadWords.advice)")
        case nil: break
        }
        let expectation = plan.scenario.expectation
        if let unwanted = findings.first(where: { !expectation.allowed.contains($0.finding.kind) || $0.endedOtherwise })
        {
            return explain?(unwanted) ?? TestFailure(unwanted, rules, at: place)
        }
        let ofSearch = Evidence(result, findings, plan)
        if ofSearch.hasSeenNoEnd { return TestFailure(undecided(ofSearch)) }
        let count = Names.count(result.counts.executions, "execution")
        let tried = result.isProof ? "\(count), which stand for all that there are" : count
        let sought = expectation.findings
        if !sought.isEmpty && !sought.contains(where: { kind in findings.contains { $0.finding.kind == kind } }) {
            let kinds = sought.map(\.rawValue).joined(separator: " or ")
            return TestFailure("no execution ended in \(kinds), of \(tried)")
        }
        let missing = expectation.missingWarnings(in: [random])
        if !missing.isEmpty {
            let runs = Names.count(random.runs, "random execution")
            let names = missing.map(\.rawValue).joined(separator: " or ")
            return TestFailure(
                "'\(plan.scenario.label)' \(expectation.description), but none of \(runs) showed \(names)")
        }
        guard findings.isEmpty else { return nil }
        return Shortfall(result, plan, search)?.failure
    }

    /// The failure if no execution ended: then nothing is known about the program, whatever the test accepts.
    private func undecided(_ evidence: Evidence) -> String {
        let more =
            switch ProofWords.remedy(evidence) {
            case .time: "time"
            case .steps: "steps: RunRules(maximumSteps:)"
            case .memory: "memory"
            case nil: "steps"
            }
        return "undecided: \(ProofWords.nothingSeen(evidence)). Let its loops end, or allow more \(more)."
    }

    private static let advice =
        "It must create everything that it changes, and not depend on dates, addresses or random numbers."
}
