import Authoring
import Trace

/// Runs the closure again and again, each time under another schedule of its threads. Fails the test at this line if an
/// execution ends badly: in a deadlock, a data race, a lost wake-up, a failed `check`, a thrown error, …
///
/// ```swift
/// @Test func transfersKeepTheSum() throws {
///     try explore {
///         let bank = Bank(accounts: 2)
///         let first = try Thread { try bank.transfer(10, from: 0, to: 1) }
///         try bank.transfer(5, from: 1, to: 0)
///         try first.join()
///         try check(bank.total == 100)
///     }
/// }
/// ```
///
/// The closure must create everything that it changes, because every execution begins from nothing. It must not depend
/// on dates, random numbers, or threads that are not created in it. It runs on the calling thread, so that breakpoints
/// and `print` work, and any number of tests can explore at once. In Swift Testing, `#expect` and `#require` in the
/// closure work like `check`: a failure ends the search, with one finding.
///
/// Only the lab's steps are ordered. Accesses of plain variables are not steps, and data races on them are not found;
/// see `ExplorationResult.triedEveryOrder`. If a thread that the lab has not started uses the lab's objects, the test
/// fails.
///
/// The environment can change a search without a change of the test, for example in a nightly job:
/// `THREADLAB_TIME=60s`, `THREADLAB_SEED=7`, `THREADLAB_EXECUTIONS=1000000`. With `THREADLAB_REPLAY`, which a failure
/// shows, the call only repeats one schedule. If the closure computes or sleeps for a minute, or for
/// `THREADLAB_STEP_TIME`, without a step, the process ends with a message.
///
/// Arguments that are left out are taken from the traits of the test and its suites (`.exploring`), and otherwise have
/// these defaults.
///
/// - `search`: the schedules to try. By default `.automatic`.
/// - `time`: the time limit of the search, without the shrinking of a failing schedule. By default five seconds, or no
///   limit if the number of executions is limited.
/// - `executions`: the maximum number of executions, from 1. A search with no other limit does the same on every
///   machine.
/// - `expected`: the outcome that the search must find, for a program that is meant to fail. By default every execution
///   must complete.
/// - `rules`: additional behavior that the program's code does not determine. By default none.
///
/// - Returns: what was found, with counts.
/// - Throws: `TestingError`, for a mistake in the call; or, outside of a test, with the failure.
@discardableResult
public func explore(
    _ search: ScheduleSearch? = nil, time: Duration? = nil, executions: Int? = nil,
    expecting expected: OutcomeKind = .completed, rules: RunRules? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    function: StaticString = #function, _ body: @escaping () throws -> Void
) throws -> ExplorationResult {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    let request = SearchRequest(search: search, time: time, executions: executions, rules: rules)
    let program = ClosureProgram(expected, collecting: FailedExpectations(at: place), body)
    return try TestedSearch(program, request, place).run()
}

/// Explores a function or a closure that is passed by name: `try explore(transfers)`. A call with a search before it,
/// such as `try explore(.exhaustive, transfers)`, uses the function above, which describes the parameters.
@discardableResult @_disfavoredOverload
public func explore(
    _ body: @escaping () throws -> Void, time: Duration? = nil, executions: Int? = nil,
    expecting expected: OutcomeKind = .completed, rules: RunRules? = nil, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
) throws -> ExplorationResult {
    try explore(
        nil, time: time, executions: executions, expecting: expected, rules: rules, fileID: fileID, filePath: filePath,
        line: line,
        column: column, function: function, body)
}

/// Explores a scenario, with its variant and parameters:
///
/// ```swift
/// var scenario = ProducerConsumer()
/// scenario.variant = .ifInsteadOfWhile
/// try explore(scenario)
/// ```
///
/// The scenario's executions must end as its variant expects.
@discardableResult
public func explore(
    _ scenario: some Scenario, _ search: ScheduleSearch? = nil, time: Duration? = nil, executions: Int? = nil,
    rules: RunRules? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
) throws -> ExplorationResult {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    let request = SearchRequest(search: search, time: time, executions: executions, rules: rules)
    return try TestedSearch(ScenarioProgram(scenario), request, place).run()
}

/// Why a call of this library could not be executed; or, outside of a test, what it found.
public struct TestingError: Error, CustomStringConvertible, Sendable {
    public let description: String

    init(_ description: String) { self.description = description }
}
