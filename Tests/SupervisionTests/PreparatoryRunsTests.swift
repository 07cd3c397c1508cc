import Testing

@testable import Supervision

/// Runs from which it is learned what steps are are a part of the command's time.
@Suite struct PreparatoryRunsTests {
    @Test func `a command without time learns nothing`() throws {
        let taken = try PreparatoryRuns.run(atMost: 9, enough: 9, within: 0) { _ in
            Issue.record("a run has begun")
            return false
        }
        #expect(taken == 0)
    }
}
