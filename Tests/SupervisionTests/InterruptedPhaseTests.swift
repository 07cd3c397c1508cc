import Exploration
import Glibc
import Machine
import Testing
import Trace

@testable import Supervision

/// Every phase of a command looks for signals, though the program's execution never ends; and where none looks, a watch ends the command.
@Suite struct InterruptedPhaseTests {
    enum Phase: String, CaseIterable, Sendable {
        case search, division, share, findings, randomRuns, controlledEvidence, nativeEvidence, check, runOfFork

        /// With a signal that has come.
        func proceed() throws {
            var plan = SearchPlan(PhaseTests.endless)
            plan.stepTime = .max / 100
            plan.time = .max / 4
            let endless = CheckPlan(executions: 100, nativeRuns: 2, seed: 1, time: .max / 8)
            switch self {
            case .search: #expect(try SearchSupervisor.run(plan, telling: .all).result.signal == SIGTERM)
            case .division:
                plan.strategy = .dpor
                #expect(try SearchSupervisor.divide(plan).result.signal == SIGTERM)
            case .share:
                plan.strategy = .random
                plan.executions = 100
                let end = try ShareSearch.run(plan, [.units(0..<1)], from: ShareState()) { _ in }.end
                #expect(end == .interrupted(signal: SIGTERM))
            case .findings:
                var result = SearchResult()
                result.add(PhaseTests.finding)
                let (interrupted, told) = try SearchSupervisor.explain(result, plan, telling: .all)
                #expect(interrupted.signal == SIGTERM && told.count == 1)
                #expect(told[0].isUnrepeated && told[0].remarks[0].contains("the search was interrupted"))
            case .randomRuns:
                let evidence = try RandomEvidence(plan, seeksLockOrder: true) { _, _ in }
                #expect(evidence.interruption == SIGTERM)
            case .controlledEvidence:
                #expect(throws: Interrupted.self) {
                    try ControlledSearch(PhaseTests.endless, endless).gather()
                }
            case .nativeEvidence:
                #expect(throws: Interrupted.self) {
                    try NativeTrials(scenario: PhaseTests.endless, plan: endless).gather()
                }
            case .check:
                let signal = try Check([PhaseTests.endless, PhaseTests.endless], endless, jobs: 1).run { _, _ in
                    true
                } progress: { _ in
                }
                #expect(signal == SIGTERM)
            case .runOfFork:
                let run = RunPlan(PhaseTests.endless, .controlled(seed: 1), timeout: .max / 2)
                try RunOfFork.run(run, stepTime: .max / 100) { _ in Issue.record("the run has ended") }
            }
        }
    }

    @Test(arguments: Phase.allCases.map(\.rawValue))
    func `a phase that is interrupted returns`(phase: String) async {
        await #expect(processExitsWith: .success) { [phase] in
            let signals = BlockedSignals([SIGTERM])
            Surroundings.ThreadAddress().signal(SIGTERM)
            try #require(Phase(rawValue: phase)).proceed()
            // What was taken again for others.
            _ = signals.wait(nanoseconds: 0)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func `a command that computes on when it was asked to end is ended`(number: Int32) async {
        let code = 128 + number
        await #expect(processExitsWith: .exitCode(code)) { [number] in
            EndingWatch.begin("test")
            let signals = BlockedSignals([SIGINT, SIGTERM, SIGHUP])
            EndingWatch.say("this is known\n")
            Surroundings.ThreadAddress().signal(number)
            while true { withExtendedLifetime(signals) {} }
        }
    }

    @Test func `so is one that has taken the signal, and shows its results without end`() async {
        let result = await #expect(processExitsWith: .exitCode(143), observing: [\.standardErrorContent]) {
            EndingWatch.begin("test")
            let signals = BlockedSignals([SIGTERM])
            Surroundings.ThreadAddress().signal(SIGTERM)
            while signals.wait(nanoseconds: 1_000_000) == nil {}
            EndingWatch.say("this is known\n")
            while true {}
        }
        let said = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
        #expect(said?.contains("this is known\n") == true)
    }
}
