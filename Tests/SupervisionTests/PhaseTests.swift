import Authoring
import Exploration
import Glibc
import Machine
import Primitives
import Testing
import Trace

@testable import Supervision

/// Every phase of a command asks the deadline, and returns when it is over, though the program's execution never ends. No time is measured:
/// a phase that did not ask would not return.
@Suite struct PhaseTests {
    enum Phase: String, CaseIterable, Sendable {
        case search, searchOfSome, division, share, partDivision
        case shrinking, repetition, attempt, parameters, sequential, changedProgram
        case randomRuns, randomRunsTogether, learning
        case run, nativeRun, runOfFork
        case controlledEvidence, nativeEvidence, check

        /// - Returns: the deadline that it has asked; nil: it has one of its own, which begins with it.
        func proceed(_ deadline: Deadline?) throws {
            let endless = PhaseTests.endless
            var plan = SearchPlan(endless)
            plan.stepTime = .max / 100
            plan.time = deadline == nil ? 1 : .max / 4
            plan.end = deadline
            switch self {
            case .search:
                let result = try SearchSupervisor.run(plan, telling: .none).result
                #expect(result.stop == .time && result.counts.executions == 0)
            case .searchOfSome:
                plan.strategy = .random
                plan.executions = 10
                plan.jobs = 2
                #expect(try SearchSupervisor.run(plan, telling: .none).result.stop == .time)
            case .division:
                plan.strategy = .dpor
                #expect(try SearchSupervisor.divide(plan).result.stop == .time)
            case .share:
                plan.strategy = .random
                plan.executions = 100
                #expect(try ShareSearch.run(plan, [.units(0..<1)], from: ShareState()) { _ in }.end == .kept)
            case .partDivision:
                plan.strategy = .dpor
                let part = PlacedPart(place: [0], .orders([]))
                let end = deadline ?? Deadline(after: 1)
                let divider = try PartDivider.divide([part], of: plan, atMost: 4, until: end)
                #expect(divider.isCut && divider.parts == [part])
            case .shrinking, .repetition:
                let kind: OutcomeKind = self == .shrinking ? .crash : .deadlock
                var result = SearchResult()
                for place in 0..<50 {
                    result.add(
                        Counterexample(
                            kind, place: place, schedule: Schedule(), steps: 1, number: 1, strategy: .random))
                }
                let told = try SearchSupervisor.explain(result, plan, telling: .all).findings
                #expect(told.count == 50 && told.allSatisfy { $0.isUnrepeated && !$0.endedOtherwise })
            case .attempt:
                let signals = BlockedSignals([SIGTERM])
                let stage = try ForkedStage(
                    plan, length: 1, signals, Interruption(signals), within: nil, until: deadline ?? Deadline(after: 1))
                #expect(stage.rehearse(Schedule()) == nil && stage.failure == nil)
            case .parameters:
                plan.scenario = Adjustable()
                var run = try Supervisor.nothing(of: RunPlan(endless, .replay(Schedule())))
                run.trace.outcome = Outcome(.deadlock, summary: "")
                let finding = ExplainedFinding(
                    finding: PhaseTests.finding, shrunk: PhaseTests.shrunk, cut: nil, run: run)
                let smaller = try ParameterShrinker.shrink(
                    finding, plan, canLower: { _ in true }, configured: { _ in endless })
                #expect(smaller == nil)
            case .sequential:
                #expect(try SequentialSearch.answer(PhaseTests.finding, plan) == .unknown)
            case .changedProgram:
                let changed = try ChangedProgram(endless, as: plan, time: 1)
                guard case .open = changed.judgement else { return #expect(Bool(false), "\(changed.judgement)") }
            case .randomRuns, .randomRunsTogether:
                if self == .randomRunsTogether {
                    var together = endless
                    together.leavesNothing = true
                    plan.scenario = together
                }
                var runs = RandomRuns(plan)
                #expect(try runs.next() == nil && runs.count == 0)
            case .learning:
                try PreparatoryRuns.run(atMost: 9, enough: 9, until: deadline ?? Deadline(after: 1)) { _ in
                    while true { pause() }
                }
            case .run, .nativeRun:
                var run = RunPlan(endless, self == .run ? .controlled(seed: 1) : .native, timeout: .max / 2)
                run.end = deadline ?? Deadline(after: 1)
                #expect(try Supervisor.finish(run).trace.outcome?.kind == .timeout)
            case .runOfFork:
                var run = RunPlan(endless, .controlled(seed: 1), timeout: .max / 2)
                run.end = deadline ?? Deadline(after: 1)
                try RunOfFork.run(run, stepTime: .max / 100) { _ in Issue.record("the run has ended") }
            case .controlledEvidence:
                #expect(try !ControlledSearch(endless, PhaseTests.check).gather().evidence.isProof)
            case .nativeEvidence:
                let evidence = try NativeTrials(scenario: endless, plan: PhaseTests.check).gather().evidence
                #expect(evidence.runs == 0 && evidence.extent == .part(.time))
            case .check:
                var results: [TrialResult] = []
                let signal = try Check([endless, endless], PhaseTests.check, jobs: 1).run { _, result in
                    results.append(result)
                    return true
                } progress: { _ in
                }
                #expect(signal == nil && results.count == 2 && results.allSatisfy { $0.failure == nil })
            }
        }

        /// Whether it asks a deadline that it is given.
        var hasDeadline: Bool {
            switch self {
            case .changedProgram, .controlledEvidence, .nativeEvidence, .check, .share: false
            case .search, .searchOfSome, .division, .partDivision, .shrinking, .repetition, .attempt, .parameters,
                .sequential, .randomRuns, .randomRunsTogether, .learning, .run, .nativeRun, .runOfFork:
                true
            }
        }
    }

    /// The same with a parameter.
    private struct Adjustable: Runnable {
        let name = "program"
        let label = "program"
        let expectation = Expectation.completes
        let arguments = [(name: "n", value: "5")]
        let guide: String? = nil
        var parameters: [ParameterDescription] {
            [
                ParameterDescription(
                    name: "n", help: "", form: .integer, defaultValue: "5", range: ("1", "9"))
            ]
        }

        func run() throws { while true { pause() } }
        func review(_ remains: Remains) throws {}
    }

    /// A program that takes no step, and never ends.
    static let endless = Program { while true { pause() } }

    static let finding = Counterexample(
        .deadlock, place: 0, schedule: Schedule(), steps: 1, number: 1, strategy: .random)
    static let shrunk: Shrunk = {
        let rehearsal = Rehearsal(finding.identity, Schedule(), ScheduleCost(preemptions: 0, steps: 9))
        return Shrunk(rehearsal, original: rehearsal.cost, .unknown)
    }()

    static let check: CheckPlan = {
        var plan = CheckPlan(executions: 100, nativeRuns: 2, seed: 1, time: 2)
        plan.totalTime = nil
        return plan
    }()

    @Test(arguments: Phase.allCases.filter(\.hasDeadline).map(\.rawValue))
    func `a phase asks the deadline, and returns when it is over`(phase: String) async {
        await #expect(processExitsWith: .success) { [phase] in
            let phase = try #require(Phase(rawValue: phase))
            let deadline = try Deadline.afterAsking(0)
            try phase.proceed(deadline)
            #expect(deadline.asked > 0)
        }
    }

    @Test(arguments: Phase.allCases.map(\.rawValue))
    func `a phase that begins with too little time returns`(phase: String) async {
        await #expect(processExitsWith: .success) { [phase] in
            try #require(Phase(rawValue: phase)).proceed(nil)
        }
    }
}
