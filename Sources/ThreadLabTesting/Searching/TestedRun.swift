import Authoring
import Supervision
import Trace

/// A run on real threads on behalf of a test.
struct TestedRun {
    private let program: any Runnable
    /// Nil: whatever the program allows.
    private let expected: OutcomeKind?
    private let timeout: Duration
    private let place: CallPlace

    init(_ program: any Runnable, _ expected: OutcomeKind?, _ timeout: Duration, _ place: CallPlace) {
        self.program = program
        self.expected = expected
        self.timeout = timeout
        self.place = place
    }

    func run() throws {
        try RunInsideRun.refuse("run")
        let limit = try EnvironmentSettings.ofProcess().stepTime
        let plan = RunPlan(program, .native, timeout: timeout.wholeNanoseconds)
        let (run, reports) = try LocalNativeRun.run(plan, .explaining("run", at: place, limit: limit))
        guard let kind = run.trace.outcome?.kind else { return }
        if !reports.isEmpty && expected != .race {
            try TestIssue.record(TestFailure(reports), at: place)
        } else if !isExpected(kind, reports) {
            try TestIssue.record(TestFailure(run.trace, program, after: expected, at: place), at: place)
        }
    }

    private func isExpected(_ kind: OutcomeKind, _ reports: [SanitizerReport]) -> Bool {
        guard let expected else { return program.expectation.allows(kind, on: .native) }
        return kind == expected || (kind == .completed && expected == .race && !reports.isEmpty)
    }
}
