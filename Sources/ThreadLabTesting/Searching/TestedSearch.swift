import Authoring
import Diagnosis
import Execution
import Exploration
import Machine
import Reports
import Supervision
import Trace

/// A search on behalf of a test: it is made, compared with what is expected, and fails the test if it is not that.
struct TestedSearch {
    private let plan: SearchPlan
    private let search: ScheduleSearch
    private let rules: RunRules
    private let place: CallPlace
    private let stepTime: UInt64?

    init(
        _ program: any Runnable, _ search: ScheduleSearch, _ time: Duration, _ rules: RunRules, _ place: CallPlace
    ) throws(TestingError) {
        if let reason = program.realThreadsOnly {
            throw TestingError("the scheduler cannot run '\(program.name)', \(reason): use 'run' for it")
        }
        let environment = try EnvironmentSettings.ofProcess()
        var plan = SearchPlan(program)
        plan.strategy = search.strategy
        plan.settings.seed = environment.seed ?? search.seed
        plan.settings.depth = search.depth
        plan.settings.bound = search.bound
        plan.rules = try rules.machineRules()
        if plan.rules.model != .sc, let strategy = plan.strategy, strategy.isOfSequentialOrder {
            throw TestingError(
                "the strategy '\(strategy.rawValue)' searches under sc: leave it out under '\(rules.model)'")
        }
        plan.executions = environment.executions ?? search.executions
        plan.time = environment.time ?? time.wholeNanoseconds
        self.plan = plan
        stepTime = environment.stepTime
        self.search = search
        self.rules = rules
        self.place = place
    }

    func run() throws -> ExplorationResult {
        try RunInsideRun.refuse("explore")
        if search.isIsolated { return try runIsolated() }
        let watchdog = StepWatchdog(.explaining("explore", at: place, limit: stepTime), plan.rules)
        defer { watchdog.stop() }
        let (result, failure) = try judged(local: watchdog.log) { try LocalSearch.run(plan, log: watchdog.log) }
        if let failure { try TestIssue.record(failure, at: place) }
        return result
    }

    private func runIsolated() throws -> ExplorationResult {
        let call = IsolatedCall(place, search, rules)
        switch call.role(EnvironmentSettings.variable(IsolatedCall.variable)) {
        case .bystander: return IsolatedReport(error: "").result
        case .earlierRound(let descriptor):
            IsolatedWorker.noteEarlierRound(to: descriptor)
            return IsolatedReport(error: "").result
        case .worker(let descriptor):
            IsolatedWorker.work(reportingTo: descriptor) {
                let (result, failure) = try judged(local: nil) { try SearchSupervisor.run(plan) }
                return IsolatedReport(result, failure)
            }
        case .starter:
            let report = try IsolatedProcess(call, limit: plan.time &+ Self.patience).run()
            if let error = report.error { throw TestingError(error) }
            if let failure = report.reported { try TestIssue.record(failure, at: place) }
            return report.result
        }
    }

    /// The time that everything but the search itself may take in a process of its own, in nanoseconds.
    private static let patience: UInt64 = 120_000_000_000

    /// - Parameter local: receives the choices of executions in this process. Nil: they have other processes.
    private func judged(
        local: ChoiceMemory?, _ search: () throws -> (SearchResult, [ExplainedFinding])
    ) throws -> (ExplorationResult, TestFailure?) {
        let start = ContinuousClock.now
        let foreign = ForeignUses.Watch()
        var (result, findings) = try search()
        var look = RandomEvidence()
        if result.discrepancy == nil {
            // A search that has found what it sought is over; promised warnings are looked for in any case.
            let seeksLockOrder = plan.scenario.judgesLockOrder && findings.isEmpty
            look = try RandomEvidence(plan, seeksLockOrder: seeksLockOrder, local: local)
            if let lockOrder = look.lockOrder { findings.append(lockOrder) }
            if let surprise = look.surprise, !findings.contains(where: { $0.finding.kind == surprise.finding.kind }) {
                findings.append(surprise)
            }
        }
        if let use = foreign.use { result.discrepancy = .foreignThread(use.sentence) }
        let elapsed = ContinuousClock.now - start
        return (ExplorationResult(result, findings, elapsed), failure(result, findings, look.evidence))
    }

    // MARK: - Is it as expected?

    /// - Parameter evidence: that of random executions after the search.
    private func failure(
        _ result: SearchResult, _ findings: [ExplainedFinding], _ evidence: Evidence
    ) -> TestFailure? {
        switch result.discrepancy {
        case .repetition(let difference):
            return TestFailure("the closure does not do the same every time: \(difference). \(Self.advice)")
        case .foreignThread(let sentence): return TestFailure("\(sentence). \(ForeignThreadWords.advice)")
        case nil: break
        }
        let expectation = plan.scenario.expectation
        if let unwanted = findings.first(where: { !expectation.allowed.contains($0.finding.kind) || !$0.isConfirmed }) {
            return TestFailure(unwanted, rules, at: place)
        }
        let count = Names.count(result.counts.executions, "execution")
        let tried = result.isProof ? "\(count), which stand for all that there are" : count
        let sought = expectation.findings
        if !sought.isEmpty && !sought.contains(where: { kind in findings.contains { $0.finding.kind == kind } }) {
            let kinds = sought.map(\.rawValue).joined(separator: " or ")
            return TestFailure("no execution ended in \(kinds), of \(tried)")
        }
        let missing = expectation.missingWarnings(in: [evidence])
        if !missing.isEmpty {
            let runs = Names.count(evidence.runs, "random execution")
            let names = missing.map(\.rawValue).joined(separator: " or ")
            return TestFailure(
                "'\(plan.scenario.label)' \(expectation.description), but none of \(runs) showed \(names)")
        }
        if search.mustProve && findings.isEmpty && !result.isProof {
            return TestFailure(
                "no schedule was found that fails, but not all were tried: \(tried) in \(plan.time.readable). Allow more time, "
                    + "make the program smaller, or accept this with '.exhaustive.orIncomplete'.")
        }
        return nil
    }

    private static let advice =
        "It must create everything that it changes, and not depend on dates, addresses or random numbers."
}
