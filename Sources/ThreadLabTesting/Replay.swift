import Authoring
import Machine
import Supervision
import Trace

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
    try TestedReplay(ClosureProgram(expected, body), schedule, expected, rules, place).run()
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
