import Authoring
import Machine
import Supervision
import Trace

/// Runs the closure once on real threads. Fails the test at this line if the run ends badly: with a deadlock, a data
/// race on a `Shared` value, a misuse, a thrown error, … The diagnosis is the same as for `explore`, but the operating
/// system determines the schedule. The closure runs on a new thread, the main thread of the run, and the calling thread
/// waits.
///
/// In a test built with ThreadSanitizer (`swift test --sanitize=thread`), it also fails if a thread of the run takes
/// part in a data race of plain memory, which `explore` cannot find, unless a race is expected.
///
/// - `timeout`: the time after which the run is ended, not counting waits for a processor. If the main thread then
///   computes for a minute, or for `THREADLAB_STEP_TIME`, without a step, the process ends with a message.
/// - `expected`: how the run must end.
///
/// - Throws: `TestingError`, for a mistake in the call; or, outside of a test, with the failure.
public func run(
    timeout: Duration = .seconds(10), expecting expected: OutcomeKind = .completed, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function,
    _ body: @escaping () throws -> Void
) throws {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    try TestedRun(ClosureProgram(expected, body), expected, timeout, place).run()
}

/// Runs a scenario once on real threads. The run must end as the scenario expects.
public func run(
    _ scenario: some Scenario, timeout: Duration = .seconds(10), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
) throws {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    try TestedRun(ScenarioProgram(scenario), nil, timeout, place).run()
}

/// Runs the closure once, under a schedule that `explore` has reported. Fails the test at this line if the run ends
/// badly, or if the closure has changed so that the schedule no longer fits. It runs on the calling thread, for
/// breakpoints or `print`.
///
/// ```swift
/// try replay("0x2,1x3") { … }
/// ```
///
/// - `schedule`: the choices, as shown by a failure of `explore`.
/// - `expected`: how the run must end.
/// - `rules`: the rules of the search.
///
/// - Throws: `TestingError`, for a mistake in the call or its schedule; or, outside of a test, with the failure.
public func replay(
    _ schedule: String, expecting expected: OutcomeKind = .completed, rules: RunRules = RunRules(),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function,
    _ body: @escaping () throws -> Void
) throws {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    let program = ClosureProgram(expected, collecting: FailedExpectations(at: place), body)
    try TestedReplay(program, schedule, expected, rules, place).run()
}

/// Runs a scenario once, under a schedule that `explore` has reported. The run must end as the scenario expects.
public func replay(
    _ scenario: some Scenario, _ schedule: String, rules: RunRules = RunRules(), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
) throws {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    try TestedReplay(ScenarioProgram(scenario), schedule, nil, rules, place).run()
}
