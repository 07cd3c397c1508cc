import Diagnosis
import Execution
import Histories
import Machine
import Reports
import Supervision
import Trace

/// A search of all scenarios of some operations on behalf of a test.
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
        if search.isIsolated { throw TestingError("'exploreOperations' has no '.isolated': leave it out") }
        var environment = try EnvironmentSettings.ofProcess()
        let limit = environment.time ?? time.wholeNanoseconds
        // These are about the whole, not about one combination.
        environment.time = nil
        environment.replay = nil
        let watchdog = StepWatchdog(
            .explaining("exploreOperations", at: place, limit: environment.stepTime), try rules.machineRules())
        defer { watchdog.stop() }
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
                let report = HistoryReport(program, finding.finding.kind)
                result.finding = OperationsResult.Finding(
                    outcome: finding.finding.kind, calls: text(of: scenario), history: report.text,
                    schedule: schedule(of: scenario, finding.schedule))
                return TestFailure(finding, about: report.text, call: call(scenario, finding.schedule), at: place)
            }
            let judgement = try tested.judged(local: watchdog.log)
            let part = judgement.result
            result.combinations += 1
            result.executions += part.executions
            result.steps += part.steps
            if part.triedEveryOrder { result.proved += 1 }
            failure = judgement.failure
            return failure == nil
        }
        result.elapsed = ContinuousClock.now - start
        if let failure {
            try TestIssue.record(failure, at: place)
        } else if !result.triedEverything {
            try recordShortfall(result, limit)
        }
        return result
    }

    /// The time for the next scenario: at least a tenth of all time, as long as there is so much.
    private func share(of rest: UInt64, after done: Int, _ limit: UInt64) -> UInt64 {
        let left = UInt64(max(1, (scenarios.count ?? .max) - done))
        return min(rest, max(limit / 10, rest / left))
    }

    private func recordShortfall(_ result: OperationsResult, _ limit: UInt64) throws(TestingError) {
        let text =
            "no combination of calls was found that fails, but not all were tried in every order: \(result.proved) of "
            + "\(result.all.map { "\($0)" } ?? "very many") in \(limit.readable). Allow more time, make 'threads', "
            + "'each' or the number of arguments smaller, or accept this with '.orIncomplete'."
        switch search.shortfall {
        case .fails: try TestIssue.record(TestFailure(text), at: place)
        case .warns: TestIssue.warn(text, at: place)
        case .isAccepted: break
        }
    }

    // MARK: - One execution again

    /// `push(1) | pop(): 0x2,1x3`
    func replay(_ text: String) throws {
        var found: OperationScenario?
        scenarios.visit { scenario in
            if text.hasPrefix(self.text(of: scenario) + ": ") { found = scenario }
            return found == nil
        }
        guard let found else {
            throw TestingError(
                "'replaying' is '\(text.printable)', and no combination of these operations is called like "
                    + "this: copy it from the failure"
            )
        }
        let program = try program(found)
        let schedule = String(text.dropFirst(self.text(of: found).count + 2))
        let replay = try TestedReplay(program, schedule, nil, rules, place) { trace in
            let report = HistoryReport(program, trace.outcome?.kind)
            return TestFailure(trace, program, after: nil, about: report.text, at: place)
        }
        try replay.run()
    }

    private func text(of scenario: OperationScenario) -> String { scenario.text(model.calls.map(\.text)) }

    private func schedule(of scenario: OperationScenario, _ schedule: Schedule) -> String {
        "\(text(of: scenario)): \(schedule.description)"
    }

    private func call(_ scenario: OperationScenario, _ schedule: Schedule) -> String {
        let arguments = ["replaying: \(String(reflecting: self.schedule(of: scenario, schedule)))", rules.argument]
        return "exploreOperations(…, \(arguments.filter { !$0.isEmpty }.joined(separator: ", ")))"
    }
}

/// What the last execution of a scenario shows: its calls, and what they should have returned.
struct HistoryReport {
    let text: String

    /// - Parameter outcome: how the execution ended.
    init<Object, Model>(_ program: OperationProgram<Object, Model>, _ outcome: OutcomeKind?) {
        let (history, model, criterion) = (program.history, program.model, program.criterion)
        let end = outcome == .deadlock ? .stuck : program.end
        let names = history.calls.indices.map { OperationScenario.name(ofThread: $0) }
        let call = { (number: Int) in model.calls[number].text }
        let table = HistoryTable(history, names: names, operation: call) { $1.text }
        var lines = table.lines
        if history.legalOrder(model, criterion, end: end) == nil {
            lines.append("")
            lines +=
                OrderReport(
                    history, history.nearestLegalOrder(model, criterion, end: end), criterion, names: names,
                    operation: call, answer: { $1.text }
                ).lines
        }
        text = lines.joined(separator: "\n")
    }
}
