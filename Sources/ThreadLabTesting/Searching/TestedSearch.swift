import Authoring
import Diagnosis
import Exploration
import Reports
import Supervision
import Trace

/// A search on behalf of a test: it is made, compared with what is expected, and fails the test if it is not that.
struct TestedSearch {
    private let plan: SearchPlan
    private let search: ScheduleSearch
    private let rules: RunRules
    private let place: CallPlace

    init(
        _ program: any Runnable, _ search: ScheduleSearch, _ time: Duration, _ rules: RunRules, _ place: CallPlace
    ) throws(TestingError) {
        if let reason = program.realThreadsOnly {
            throw TestingError("the scheduler cannot run '\(program.name)', \(reason): use 'run' for it")
        }
        let environment = try EnvironmentSettings()
        var plan = SearchPlan(program)
        plan.strategy = search.strategy
        plan.settings.seed = environment.seed ?? search.seed
        plan.settings.depth = search.depth
        plan.settings.bound = search.bound
        plan.rules = rules.machineRules
        plan.executions = environment.executions ?? search.executions
        plan.time = environment.time ?? time.wholeNanoseconds
        self.plan = plan
        self.search = search
        self.rules = rules
        self.place = place
    }

    func run() throws -> ExplorationResult {
        try RunInsideRun.refuse("explore")
        if search.isIsolated { return try runIsolated() }
        let (result, failure) = try judged { try LocalSearch.run(plan) }
        if let failure { try TestIssue.record(failure, at: place) }
        return result
    }

    private func runIsolated() throws -> ExplorationResult {
        let call = IsolatedCall(place, search, rules)
        switch call.role {
        case .bystander: return IsolatedReport(error: "").result
        case .worker(let descriptor):
            IsolatedWorker.work(reportingTo: descriptor) {
                let (result, failure) = try judged { try SearchSupervisor.run(plan) }
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

    private func judged(
        _ search: () throws -> (SearchResult, [ExplainedFinding])
    ) throws -> (ExplorationResult, Failure?) {
        let start = ContinuousClock.now
        let (result, findings) = try search()
        let elapsed = ContinuousClock.now - start
        return (ExplorationResult(result, findings, elapsed), failure(result, findings))
    }

    // MARK: - Is it as expected?

    private func failure(_ result: SearchResult, _ findings: [ExplainedFinding]) -> Failure? {
        if let discrepancy = result.discrepancy {
            return Failure("the closure does not do the same every time: \(discrepancy). \(Self.advice)")
        }
        let expectation = plan.scenario.expectation
        if let unwanted = findings.first(where: { !expectation.allowed.contains($0.finding.kind) || !$0.isConfirmed }) {
            return Failure(unwanted, plan.scenario, rules, at: place)
        }
        let count = Names.count(result.counts.executions, "execution")
        let tried = result.isProof ? "\(count), which stand for all that there are" : count
        let sought = expectation.findings
        if !sought.isEmpty && !sought.contains(where: { kind in findings.contains { $0.finding.kind == kind } }) {
            let kinds = sought.map(\.rawValue).joined(separator: " or ")
            return Failure("no execution ended in \(kinds), of \(tried)")
        }
        if search.mustProve && findings.isEmpty && !result.isProof {
            return Failure(
                "no schedule was found that fails, but not all were tried: \(tried) in \(plan.time.readable). Allow more time, "
                    + "make the program smaller, or accept this with '.exhaustive.orUnproved'.")
        }
        return nil
    }

    private static let advice =
        "It must create everything that it changes, and not depend on dates, addresses or random numbers."
}
