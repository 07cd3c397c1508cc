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
        let trace = try LocalNativeRun.run(plan, .explaining("run", at: place, limit: limit)).trace
        guard let kind = trace.outcome?.kind else { return }
        let isExpected = expected.map { $0 == kind } ?? program.expectation.allows(kind, on: .native)
        if !isExpected { try TestIssue.record(Failure(trace, program, after: expected, at: place), at: place) }
    }
}
