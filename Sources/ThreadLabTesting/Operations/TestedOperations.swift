import Diagnosis
import Execution
import Histories
import Machine
import Reports
import Supervision
import Trace

/// A call of `exploreOperations`: searches the scenarios of some operations (combinations of calls) one after another,
/// and fails the test if one shows wrong results or a bad end.
struct TestedOperations<Object, Model: Hashable> {
    typealias Program = OperationProgram<Object, Model>

    private let scenarios: OperationScenarios
    private let model: OperationModel<Object, Model>
    private let criterion: Criterion
    private let search: ScheduleSearch
    private let time: Duration
    private let rules: RunRules
    private let place: CallPlace
    private let make: () throws -> Object

    init(
        _ scenarios: OperationScenarios, _ model: OperationModel<Object, Model>, _ criterion: Criterion,
        _ search: ScheduleSearch, _ time: Duration, _ rules: RunRules, _ place: CallPlace,
        _ make: @escaping () throws -> Object
    ) {
        self.scenarios = scenarios
        self.model = model
        self.criterion = criterion
        self.search = search
        self.time = time
        self.rules = rules
        self.place = place
        self.make = make
    }

    /// The scenario as a program. Throws if the rules of the search do not fit it.
    private func program(_ scenario: OperationScenario) throws(TestingError) -> Program {
        let program = Program(scenario, model, criterion, try rules.machineRules().model, place, make)
        if program.mayWait && rules.timeouts == .any {
            throw TestingError(
                "'rules' lets waits time out at any moment, and these operations may wait until no thread can "
                    + "continue, which is found by a wait that times out: leave 'timeouts' out")
        }
        return program
    }

    // MARK: - The search

    func run() throws -> OperationsResult {
        try RunInsideRun.refuse("exploreOperations")
        let environment = try EnvironmentSettings.ofProcess()
        let limit = environment.time ?? time.wholeNanoseconds
        let judgement: OperationsJudgement
        if search.isIsolated {
            let report = try IsolatedRun.report(of: IsolatedCall(place, search, rules), time: limit) {
                IsolatedReport(try judged(environment, limit) { try $0.judgedInProcesses() })
            }
            guard let report else { return OperationsResult() }
            judgement = report.operationsJudgement
        } else {
            let watchdog = StepWatchdog(
                .explaining("exploreOperations", at: place, limit: environment.stepTime), try rules.machineRules())
            defer { watchdog.stop() }
            judgement = try judged(environment, limit) { try $0.judged(local: watchdog.log) }
        }
        if let failure = judgement.failure { try TestIssue.record(failure, at: place) }
        if let warning = judgement.warning { TestIssue.warn(warning, at: place) }
        return judgement.result
    }

    /// Searches the scenarios until one fails or the time is over.
    ///
    /// - Parameters:
    ///   - limit: the time limit for all scenarios, in nanoseconds.
    ///   - judge: searches one of them.
    private func judged(
        _ environment: EnvironmentSettings, _ limit: UInt64, _ judge: (TestedSearch) throws -> TestJudgement
    ) throws -> OperationsJudgement {
        var environment = environment
        // `limit` is for all scenarios together, and `THREADLAB_REPLAY` names no scenario.
        environment.time = nil
        environment.replay = nil
        let start = ContinuousClock.now
        var result = OperationsResult()
        result.all = scenarios.count
        var failure: TestFailure?
        try scenarios.visit { scenario in
            let spent = (ContinuousClock.now - start).wholeNanoseconds
            if spent >= limit { return false }
            let program = try program(scenario)
            let share = share(of: limit - spent, after: result.combinations, limit)
            let request = SearchRequest(
                search: search.orIncomplete, time: .nanoseconds(Int64(clamping: share)), rules: rules)
            let tested = try TestedSearch(program, request, place, environment) { finding in
                let history = history(of: program, finding.finding.kind, finding.schedule)
                result.finding = OperationsResult.Finding(
                    outcome: finding.finding.kind, calls: text(of: scenario), history: history,
                    schedule: schedule(of: scenario, finding.schedule))
                return TestFailure(finding, about: history, call: call(scenario, finding), at: place)
            }
            let judgement = try judge(tested)
            let part = judgement.result
            result.combinations += 1
            result.executions += part.executions
            result.steps += part.steps
            if part.triedEveryOrder { result.proved += 1 }
            failure = judgement.failure
            return failure == nil
        }
        result.elapsed = ContinuousClock.now - start
        var whole = OperationsJudgement(result: result, failure: failure)
        if failure == nil && !result.triedEverything { note(shortfall(result, limit), in: &whole) }
        return whole
    }

    /// The calls of the execution that is shown, and what they should have returned.
    private func history(of program: Program, _ outcome: OutcomeKind?, _ schedule: Schedule) -> String {
        if !search.isIsolated { return HistoryReport(program, outcome).text }
        do {
            return try RetoldHistory(program, schedule, rules).text
        } catch {
            return "the calls are not known: \(error)"
        }
    }

    /// The time for the next scenario, in nanoseconds: an equal share of the rest, but at least a tenth of the whole
    /// time if that much is left.
    private func share(of rest: UInt64, after done: Int, _ limit: UInt64) -> UInt64 {
        let left = UInt64(max(1, (scenarios.count ?? .max) - done))
        return min(rest, max(limit / 10, rest / left))
    }

    private func shortfall(_ result: OperationsResult, _ limit: UInt64) -> String {
        "no combination of calls was found that fails, but not all were tried in every order: \(result.proved) of "
            + "\(result.all.map { "\($0)" } ?? "very many") in \(limit.readable). Allow more time, make 'threads', "
            + "'each' or the number of arguments smaller, or accept this with '.orIncomplete'."
    }

    private func note(_ shortfall: String, in judgement: inout OperationsJudgement) {
        switch search.shortfall {
        case .fails: judgement.failure = TestFailure(shortfall)
        case .warns: judgement.warning = shortfall
        case .isAccepted: break
        }
    }

    // MARK: - One execution again

    /// Replays a combination and a schedule: `push(1) | pop(): 0x2,1x3`.
    func replay(_ text: String) throws {
        var found: OperationScenario?
        scenarios.visit { scenario in
            if text.hasPrefix(prefix(of: scenario)) { found = scenario }
            return found == nil
        }
        guard let found else {
            throw TestingError(
                "'replaying' is '\(text.printable)', and no combination of these operations is called like "
                    + "this: copy it from the failure"
            )
        }
        let program = try program(found)
        let schedule = String(text.dropFirst(prefix(of: found).count))
        let replay = try TestedReplay(program, schedule, nil, rules, place) { trace in
            let choices: Schedule
            do throws(SupervisionFailed) {
                choices = try trace.header.readSchedule()
            } catch {
                return TestFailure(error.description)
            }
            let history = history(of: program, trace.outcome?.kind, choices)
            return TestFailure(trace, program, after: nil, about: history, at: place)
        }
        if !search.isIsolated { return try replay.run() }
        let report = try IsolatedRun.report(of: IsolatedCall(place, search, rules), time: time.wholeNanoseconds) {
            IsolatedReport(try replay.judged(local: nil, since: ContinuousClock.now))
        }
        if let report { try TestIssue.record(report.judgement, at: place) }
    }

    private func text(of scenario: OperationScenario) -> String { scenario.text(model.calls.map(\.text)) }

    /// What precedes the schedule in a text that names a scenario and a schedule.
    private func prefix(of scenario: OperationScenario) -> String { text(of: scenario) + ": " }

    private func schedule(of scenario: OperationScenario, _ schedule: Schedule) -> String {
        prefix(of: scenario) + schedule.description
    }

    /// The call that repeats the finding, as the failure shows it.
    private func call(_ scenario: OperationScenario, _ finding: ExplainedFinding) -> String {
        let rules = rules.following(finding.finding.rules)
        let schedule = schedule(of: scenario, finding.schedule)
        let arguments = ["replaying: \(String(reflecting: schedule))", rules.argument]
        return "exploreOperations(…, \(arguments.filter { !$0.isEmpty }.joined(separator: ", ")))"
    }
}

/// The result of a search of all scenarios, and its meaning for the test.
struct OperationsJudgement {
    var result: OperationsResult
    /// Nil: the test passes.
    var failure: TestFailure?
    var warning: String?
}
