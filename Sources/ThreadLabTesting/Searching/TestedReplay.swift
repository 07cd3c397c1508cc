import Authoring
import Machine
import Supervision
import Text
import Trace

/// The replay of a schedule on behalf of a test.
struct TestedReplay {
    private let program: any Runnable
    private let schedule: Schedule
    /// Nil: whatever the program allows.
    private let expected: OutcomeKind?
    private let rules: RunRules
    private let place: CallPlace
    private let stepTime: UInt64?

    init(
        _ program: any Runnable, _ schedule: String, _ expected: OutcomeKind?, _ rules: RunRules, _ place: CallPlace
    ) throws(TestingError) {
        self.program = program
        self.expected = expected
        self.rules = rules
        self.place = place
        stepTime = try EnvironmentSettings.ofProcess().stepTime
        do {
            // Empty: what happens before the first step.
            self.schedule = schedule.isEmpty ? Schedule() : try Schedule(parsing: schedule)
        } catch {
            throw TestingError("the schedule '\(schedule.printable)' cannot be read: \(error.message)")
        }
    }

    func run() throws {
        try RunInsideRun.refuse("replay")
        let rules = rules.machineRules
        let watchdog = StepWatchdog(.explaining("replay", at: place, limit: stepTime), rules)
        defer { watchdog.stop() }
        let plan = RunPlan(program, .replay(schedule), rules: rules)
        let trace = try DirectRun(plan, log: watchdog.log).finish().trace
        if let misfit = trace.events.last, misfit.kind == .runDiverged {
            let why = trace.text(of: misfit)?.printable ?? ""
            return try TestIssue.record(TestFailure("the schedule does not fit any more: \(why)"), at: place)
        }
        guard let kind = trace.outcome?.kind else { return }
        let isExpected = expected.map { $0 == kind } ?? program.expectation.allowed.contains(kind)
        if !isExpected { try TestIssue.record(TestFailure(trace, program, after: expected, at: place), at: place) }
    }
}
