import Authoring
import Execution
import Machine
import Supervision
import Text
import Trace

/// A call of `run`: runs a program once on real threads, and fails the test if the outcome is not the expected one.
struct TestedRun {
    private let program: any Runnable
    /// The outcome that the run must have. Nil: any outcome that the program allows.
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

    /// Whether the run has ended as expected. A data race that ThreadSanitizer reports does not end it.
    private func isExpected(_ kind: OutcomeKind, _ reports: [SanitizerReport]) -> Bool {
        guard let expected else { return program.expectation.allows(kind, on: .native) }
        return kind == expected || (kind == .completed && expected == .race && !reports.isEmpty)
    }
}

/// A call of `replay`: runs a program once under a given schedule, and fails the test if the outcome is not the
/// expected one.
struct TestedReplay {
    private let program: any Runnable
    private let schedule: Schedule
    /// The outcome that the run must have. Nil: any outcome that the program allows.
    private let expected: OutcomeKind?
    private let rules: RunRules
    private let place: CallPlace
    private let stepTime: UInt64?
    private let expectations: FailedExpectations?
    /// See `init`.
    private let explain: ((TraceDocument) -> TestFailure)?

    /// - Parameter explain: makes the failure for a run with an unexpected end. Nil: its report is the failure.
    init(
        _ program: any Runnable, _ schedule: String, _ expected: OutcomeKind?, _ rules: RunRules, _ place: CallPlace,
        explain: ((TraceDocument) -> TestFailure)? = nil
    ) throws(TestingError) {
        self.program = program
        self.explain = explain
        self.expected = expected
        self.rules = rules
        self.place = place
        expectations = (program as? ClosureProgram)?.expectations
        stepTime = try EnvironmentSettings.ofProcess().stepTime
        do {
            // The empty schedule replays what happens before the first step.
            self.schedule = schedule.isEmpty ? Schedule() : try Schedule(parsing: schedule)
        } catch {
            throw TestingError("the schedule '\(schedule.printable)' cannot be read: \(error.message)")
        }
    }

    func run() throws {
        try RunInsideRun.refuse("replay")
        let watchdog = StepWatchdog(.explaining("replay", at: place, limit: stepTime), try rules.machineRules())
        defer { watchdog.stop() }
        let start = ContinuousClock.now
        func judge() throws -> TestJudgement { try judged(local: watchdog.log, since: start) }
        try TestIssue.record(try expectations?.collect(during: judge) ?? judge(), at: place)
    }

    /// Runs the program, and judges its outcome.
    ///
    /// - Parameter local: receives the choices of an execution in this process. Nil: the execution has its own process.
    func judged(local: ChoiceMemory?, since start: ContinuousClock.Instant) throws -> TestJudgement {
        var plan = RunPlan(program, .replay(schedule), rules: try rules.machineRules())
        plan.keepsCrashMessage = local == nil
        plan.explainer = try CallStacks(ofFork: local == nil)
        let run = try local.map { try DirectRun(plan, log: $0).finish() } ?? Supervisor.run(plan)
        var judgement = TestJudgement(result: ExplorationResult(run.trace, schedule, ContinuousClock.now - start))
        judgement.failure = failure(run.trace)
        return judgement
    }

    private func failure(_ trace: TraceDocument) -> TestFailure? {
        if let misfit = trace.events.last, misfit.kind == .runDiverged {
            let why = trace.text(of: misfit)?.printable ?? ""
            return TestFailure("the schedule does not fit any more: \(why)")
        }
        guard let kind = trace.outcome?.kind else { return nil }
        let isExpected = expected.map { $0 == kind } ?? program.expectation.allowed.contains(kind)
        if isExpected { return nil }
        return explain?(trace) ?? TestFailure(trace, program, after: expected, at: place)
    }
}

/// A test's closure as a program.
///
/// The closure need not be sendable: under the scheduler its threads are fibers of one thread, and on real threads the
/// test is responsible for what they share.
struct ClosureProgram: Runnable, @unchecked Sendable {
    let expectation: Expectation
    /// Collects failed expectations. Nil: they fail the test at once.
    let expectations: FailedExpectations?
    private let body: () throws -> Void

    /// - Parameter expected: the outcome that some execution must have. If it is not `completed`, other executions may
    ///   complete.
    init(
        _ expected: OutcomeKind, collecting expectations: FailedExpectations? = nil,
        _ body: @escaping () throws -> Void
    ) {
        expectation = expected == .completed ? .completes : .may(expected)
        self.expectations = expectations
        self.body = body
    }

    var name: String { "the closure" }
    var label: String { "the closure" }
    var parameters: [ParameterDescription] { [] }
    var arguments: [(name: String, value: String)] { [] }
    var guide: String? { nil }

    func run() throws {
        expectations?.begin()
        try body()
        try refuseFailedExpectations()
    }

    /// Called at the end of an execution: other threads may fail an expectation after the main thread's body.
    func review(_ remains: Remains) throws { try refuseFailedExpectations() }

    private func refuseFailedExpectations() throws {
        if let failure = expectations?.first { throw failure }
    }
}

/// Refuses a call from code that is being run or explored: the threads of the inner run would be unknown to the outer
/// one.
enum RunInsideRun {
    static func refuse(_ call: String) throws(TestingError) {
        guard ThreadContext.isInRun else { return }
        throw TestingError("'\(call)' is called by code that is being run or explored: call it from the test itself")
    }
}

extension Duration {
    /// The nanoseconds, at least 0, and limited to what 64 bits hold: about 584 years.
    var wholeNanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        if seconds < 0 { return 0 }
        let (whole, isTooMuch) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooMuch
            ? .max : whole.addingReportingOverflow(UInt64(max(0, attoseconds) / 1_000_000_000)).partialValue
    }
}

extension UInt64 {
    /// The nanoseconds as people write them.
    var readable: String { ReadableDuration.text(nanoseconds: Int64(clamping: self)) }
}
