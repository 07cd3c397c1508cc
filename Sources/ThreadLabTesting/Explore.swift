import Authoring
import Trace

/// Runs the closure again and again, each time under another schedule of its threads, and fails the test at this line if
/// one of them ends badly: in a deadlock, a data race, a lost wake-up, a failed `check`, an error that is thrown, …
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
/// The closure must create everything that it changes, because every execution begins with nothing, and must not depend on dates,
/// random numbers or threads other than those made here. It runs on the calling thread, so that breakpoints and `print`
/// work; any number of tests can explore at once. In Swift Testing, `#expect` and `#require` in it are like `check`: one that
/// fails ends the search, with one finding.
///
/// Every order means: of the lab's steps. Plain variables are no steps, and a data race on one is not seen; see
/// `ExplorationResult.triedEveryOrder`. A thread that the lab has not started must not use its objects: that fails the test.
///
/// The environment can change a search without a change of the test, for example in a nightly job: `THREADLAB_TIME=60s`,
/// `THREADLAB_SEED=7`, `THREADLAB_EXECUTIONS=1000000`. With `THREADLAB_REPLAY`, which a failure shows, the call repeats one schedule
/// and tries no other. The process ends with a message if the closure computes or sleeps for a minute without a step, or for
/// `THREADLAB_STEP_TIME`.
///
/// What the call leaves open is as the traits of its test and its suites say (`.exploring`), and then by default.
///
/// - `search`: which schedules to try. By default `.automatic`.
/// - `time`: the limit for the search. The shrinking of a schedule that fails comes in addition. By default five seconds, or no
///   limit if the number of executions has one.
/// - `executions`: the limit for their number, from 1. A search that is limited by it alone does the same on every machine.
/// - `expected`: what the search must find, for a program that is meant to fail. By default every execution must
///   complete.
/// - `rules`: what may happen beyond what the program itself leaves open. By default nothing.
///
/// - Returns: what was found, with counts.
/// - Throws: `TestingError`, for a mistake in the call; or, outside a test, what would have failed it.
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

/// The same for a function or a closure that is passed by name: `try explore(transfers)`. With a search before it, as in
/// `try explore(.exhaustive, transfers)`, it is the call above.
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

/// The same for a scenario, with the variant and the parameters that were set:
///
/// ```swift
/// var scenario = ProducerConsumer()
/// scenario.variant = .ifInsteadOfWhile
/// try explore(scenario)
/// ```
///
/// It must end as its variant expects.
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

/// Why a call of this library could not be carried out, or, outside a test, what it found.
public struct TestingError: Error, CustomStringConvertible, Sendable {
    public let description: String

    init(_ description: String) { self.description = description }
}
