import Testing

@testable import Supervision

/// Runs from which it is learned what steps are are a part of the command's time.
@Suite struct PreparatoryRunsTests {
    @Test func `a command without time learns nothing`() throws {
        try PreparatoryRuns.run(atMost: 9, enough: 9, until: Deadline(after: 0)) { _ in
            Issue.record("a run has begun")
            return false
        }
    }
}
