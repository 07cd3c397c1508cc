import Exploration
import Glibc
import Machine
import Primitives
import Testing
import Trace

@testable import Supervision

/// What comes after a search asks for the time that is left, and does nothing when there is none.
@Suite struct DeadlineTests {
    @Test func `a part of the time that is left is over no later than all of it`() {
        #expect(Deadline(after: 0).isOver && Deadline(after: 0).left == 0)
        let end = Deadline(after: .max)
        #expect(!end.isOver && !end.at(most: .max).isOver && end.at(most: 0).isOver)
        #expect(Deadline(after: 0).at(most: .max).isOver)
    }

    @Test func `random executions are not begun, but for half of the search's time that is theirs in any case`() throws
    {
        var plan = SearchPlan(Program {})
        plan.end = try Deadline.afterAsking(0, moment: .max / 2)
        var runs = RandomRuns(plan)
        #expect(try runs.next() != nil)
        plan.time = 0
        runs = RandomRuns(plan)
        #expect(try runs.next() == nil)
        #expect(runs.count == 0)
    }

    @Test func `no schedule is tried for a program that may end its process`() async {
        await #expect(processExitsWith: .success) {
            let signals = BlockedSignals([SIGINT])
            let stage = try ForkedStage(
                SearchPlan(Program {}), length: 1, signals, Interruption(signals), within: nil,
                until: Deadline(after: 0))
            #expect(stage.rehearse(Schedule()) == nil && stage.failure == nil)
        }
    }

    @Test func `whether a finding needs a weak model is not known`() async {
        await #expect(processExitsWith: .success) {
            var plan = SearchPlan(Program {})
            plan.end = Deadline(after: 0)
            let finding = Counterexample(
                .race, place: 1, schedule: Schedule(), steps: 0, number: 1, strategy: .graphs)
            let answer = try SequentialSearch.answer(finding, plan)
            #expect(answer == .unknown)
        }
    }

    @Test func `a finding is repeated and reported, and was not shrunk for lack of time`() async {
        await #expect(processExitsWith: .success) {
            var plan = SearchPlan(SearchSupervisorTests.race { preconditionFailure("only when it is repeated") })
            plan.end = try Deadline.afterAsking(0, moment: .max / 2)
            let finding = Counterexample(
                .completed, place: 0, schedule: Schedule(), steps: 0, number: 1, strategy: .random)
            var result = SearchResult()
            result.add(finding)
            let told = try SearchSupervisor.explain(result, plan, telling: .all).findings
            #expect(told.count == 1 && told.first?.shrunk == nil && told.first?.cut == .time)
            #expect(told.first?.isConfirmed == true)
            #expect(told.first?.remarks.first?.contains("There was no time to shrink it: --time allows more.") == true)
        }
    }

    @Test func `a finding that there was no time to repeat is not called one that cannot be repeated`() {
        func told(_ end: EventKind, _ outcome: OutcomeKind) -> ExplainedFinding {
            var trace = TraceDocument(header: TraceHeader(scenario: "test", runtime: .controlled))
            trace.events.append(Event(time: 0, thread: .main, kind: end, object: .none))
            trace.outcome = Outcome(outcome, summary: "")
            let finding = Counterexample(
                .deadlock, place: 0, schedule: Schedule(), steps: 3, number: 1, strategy: .random)
            return ExplainedFinding(
                finding: finding, shrunk: nil, cut: .time, run: SupervisedRun(trace: trace, findings: []))
        }
        let cut = told(.runTimeout, .timeout)
        #expect(cut.isUnrepeated && !cut.isConfirmed && !cut.endedOtherwise)
        #expect(cut.remarks.first?.contains("could not be repeated within the time limit; --time allows more") == true)
        let other = told(.runComplete, .completed)
        #expect(!other.isUnrepeated && !other.isConfirmed && other.endedOtherwise)
    }

    @Test func `a run whose process was stopped after the scheduler had ended it is no mistake`()
        throws
    {
        let plan = RunPlan(Program {}, .controlled(seed: 1))
        var trace = TraceDocument(header: TraceHeader(scenario: "test", runtime: .controlled))
        trace.events.append(Event(time: 0, thread: .main, kind: .runTimeout, object: .none))
        trace.outcome = Outcome(.timeout, summary: "")
        try plan.compare(.completed, with: trace)
        trace.events.append(Event(time: 0, thread: .main, kind: .runComplete, object: .none))
        #expect(throws: SupervisionFailed.self) { try plan.compare(.completed, with: trace) }
    }

    @Test func `a crash that could not be repeated is told as the crash that was seen`() {
        var trace = TraceDocument(header: TraceHeader(scenario: "test", runtime: .controlled))
        trace.outcome = Outcome(.timeout, summary: "The run was still going after 2 s.")
        let finding = Counterexample(
            .crash, place: 0, schedule: Schedule(), steps: 3, number: 248, strategy: .random)
        let told = ExplainedFinding(
            finding: finding, shrunk: nil, cut: nil, run: SupervisedRun(trace: trace, findings: []))
        #expect(told.trace.outcome?.kind == .crash)
        #expect(
            told.trace.outcome?.summary
                == "The program crashed in execution 248 of the search, and this could not be repeated.")
        #expect(
            told.trace.outcome?.details == [
                "With the same choices it ended in timeout: The run was still going after 2 s."
            ])
        #expect(!told.isConfirmed && told.endedOtherwise && told.repeatedAs == .timeout)
    }

    @Test func `an execution ends in its middle when its time is over`() throws {
        var asked = 0
        let chooser = TimedChooser(RandomWalk(seed: 1)) {
            asked += 1
            return asked > 2
        }
        let threads: [UInt16] = [0, 1]
        let machine = OwnedMachineState()
        let chosen = (0..<4).map { _ in
            threads.withUnsafeBufferPointer { chooser.chooseThread($0, last: 0, state: machine.state) }
        }
        #expect(chosen.map { $0 == nil } == [false, false, true, true])
    }

    // MARK: - In this process, where nothing can be ended

    @Test func `a search for a test has two executions, and those that repeat what it found`() throws {
        let count = Count()
        let program = Program(.may(.deadlock)) {
            count.executions += 1
            try Semaphore("never", value: 0).wait()
        }
        var plan = SearchPlan(program)
        plan.end = try Deadline.afterAsking(0)
        let watchdog = StepWatchdog(StepWatchdog.Settings { _ in "" }, plan.rules)
        defer { watchdog.stop() }
        #expect(try LocalSearch.run(plan, log: watchdog.log).result.stop == .time)
        #expect(count.executions == 2)
        // It was found when there was time.
        plan.end = try Deadline.afterAsking(2)
        count.executions = 0
        let told = try LocalSearch.run(plan, log: watchdog.log).findings
        #expect(told.allSatisfy { $0.isConfirmed && $0.cut == .time })
        #expect(count.executions < 10)
    }

    @Test func `random executions for a test end in their middle`() throws {
        let program = Program { while true { try Thread.yield() } }
        var plan = SearchPlan(program)
        plan.rules.maximumSteps = 1_000_000
        plan.end = try Deadline.afterAsking(0, moment: 100)
        let watchdog = StepWatchdog(StepWatchdog.Settings { _ in "" }, plan.rules)
        defer { watchdog.stop() }
        var runs = RandomRuns(plan, local: watchdog.log)
        #expect(try runs.next() == nil)
        #expect(plan.end?.asked ?? 0 < 200)
    }

    @Test(arguments: [
        (
            9, "unknown",
            ". Shrunk to 7 steps and 1 preemption. It may not be the minimum, because shrinking ended after 7.1 s; "
        ),
        (
            9, "preemptions",
            ". Shrunk to 7 steps and 1 preemption, the minimum number of preemptions. Fewer steps may suffice, because shrinking ended after 7.1 s; "
        ),
        (7, "unknown", ", with 7 steps and 1 preemption. It was not shrunk within 7.1 s; "),
    ])
    func `a finding that was shrunk as long as there was time says so`(
        steps: Int, known: String, words: String
    ) throws {
        var trace = TraceDocument(header: TraceHeader(scenario: "test", runtime: .controlled))
        trace.outcome = Outcome(.deadlock, summary: "")
        let finding = Counterexample(
            .deadlock, place: 0, schedule: Schedule(), steps: steps, number: 4, strategy: .random)
        let rehearsal = Rehearsal(finding.identity, Schedule(), ScheduleCost(preemptions: 1, steps: 7))
        let shrunk = Shrunk(
            rehearsal, original: ScheduleCost(preemptions: 1, steps: steps),
            try #require(Shrunk.Minimality(rawValue: known)), endedByTime: true)
        // The time of the command is left.
        let told = ExplainedFinding(
            finding: finding, shrunk: shrunk, cut: nil, run: SupervisedRun(trace: trace, findings: []),
            shrinking: 7_140_000_000)
        #expect(told.remarks == ["Found in execution 4\(words)--time allows more."])
    }

    @Test func `the time for shrinking is over when as much processor time was used, and its shares before`() {
        let time = ShrinkingTime(.thread, limit: 50_000_000)
        #expect(!time.isOver)
        while !time.isOver(0.5) {}
        #expect(!time.isOver)
        while !time.isOver {}
        #expect(time.isOver(0.5))
    }

    @Test func `attempts to shrink a crash end with their time`() async {
        await #expect(processExitsWith: .success) {
            let signals = BlockedSignals([SIGINT])
            let stage = try ForkedStage(
                SearchPlan(Program { abort() }), length: 1, signals, Interruption(signals),
                within: ShrinkingTime(.processes, limit: 0), until: Deadline(after: .max))
            // Whether the schedule leads to the crash is found out in any case.
            #expect(stage.rehearse(Schedule())?.end?.kind == .crash)
            #expect(stage.rehearse(Schedule())?.end?.kind == .crash && !stage.endedByTime)
            #expect(stage.rehearse(Schedule()) == nil && stage.endedByTime && stage.failure == nil)
        }
    }

    /// Used by one thread at a time.
    private final class Count: @unchecked Sendable {
        var executions = 0
    }
}
