import Authoring
import Machine
import Supervision
import Trace

/// Runs the closure once on real threads, and fails the test at this line if that ends badly: with a deadlock, a data race
/// of shared memory, a misuse, an error that is thrown, … The diagnosis is that of `explore`; the schedule is the operating
/// system's. The closure is the main thread of the run, which is a new thread; the calling one waits.
///
/// In a test that was built with ThreadSanitizer (`swift test --sanitize=thread`), it also fails if that reports a data race
/// of plain memory in which a thread of the run takes part: `explore` cannot see one.
///
/// - `timeout`: the run is ended after this time, without that in which it waits for a processor. If the main thread then
///   computes for a minute without calling a primitive, the process ends with a message (`THREADLAB_STEP_TIME`).
/// - `expected`: how the run must end.
///
/// - Throws: `TestingError`, outside a test, with what would have failed it.
public func run(
    timeout: Duration = .seconds(10), expecting expected: OutcomeKind = .completed, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function,
    _ body: @escaping () throws -> Void
) throws {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    try TestedRun(ClosureProgram(expected, body), expected, timeout, place).run()
}

/// The same for a scenario: the run must end as the scenario expects.
public func run(
    _ scenario: some Scenario, timeout: Duration = .seconds(10), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
) throws {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    try TestedRun(ScenarioProgram(scenario), nil, timeout, place).run()
}

/// Runs the closure once, under the schedule that `explore` has reported, and fails the test at this line if that ends
/// badly, or if the closure has changed so much that the schedule does not fit any more. It runs on the calling thread:
/// set a breakpoint, or print.
///
/// ```swift
/// try replay("0x2,1x3") { … }
/// ```
///
/// - `schedule`: the choices, as a failure of `explore` shows them.
/// - `expected`: how the run must end.
/// - `rules`: those of the search.
///
/// - Throws: `TestingError`, if the schedule cannot be read; or, outside a test, what would have failed it.
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

/// The same for a scenario: the run must end as the scenario expects.
public func replay(
    _ scenario: some Scenario, _ schedule: String, rules: RunRules = RunRules(), fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function
) throws {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    try TestedReplay(ScenarioProgram(scenario), schedule, nil, rules, place).run()
}
