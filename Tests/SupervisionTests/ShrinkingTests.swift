import Exploration
import Glibc
import Machine
import Primitives
import Testing
import Trace

@testable import Supervision

/// Schedules that are tried in processes that may die.
@Suite struct ShrinkingTests {
    static func stage(_ program: Program, stepTime: UInt64 = .max / 100) throws -> ForkedStage {
        var plan = SearchPlan(program)
        plan.stepTime = stepTime
        let signals = BlockedSignals([SIGINT])
        return try ForkedStage(
            plan, length: 1, signals, Interruption(signals), within: nil, until: Deadline(after: .max))
    }

    /// The second thread is first.
    static let unlucky = Schedule([0, 0, 2, 2].map { Schedule.Choice.thread($0) })

    @Test func `an attempt shows how its process ended`() async {
        await #expect(processExitsWith: .success) {
            let stage = try ShrinkingTests.stage(SearchSupervisorTests.race { abort() })
            let harmless = try #require(stage.rehearse(Schedule()))
            #expect(harmless.end?.kind == .completed && harmless.cost.steps > 0)
            let fatal = try #require(stage.rehearse(ShrinkingTests.unlucky))
            #expect(fatal.end?.kind == .crash)
            #expect(fatal.schedule.choices.starts(with: ShrinkingTests.unlucky.choices.prefix(3)))
            #expect(stage.failure == nil)
        }
    }

    @Test func `an attempt whose report was written over shows nothing`() async {
        await #expect(processExitsWith: .success) {
            Surroundings.sparePipes()
            let stage = try ShrinkingTests.stage(SearchSupervisorTests.race { Surroundings.scribble() })
            #expect(stage.rehearse(Schedule()) != nil)
            #expect(stage.rehearse(ShrinkingTests.unlucky) == nil)
            #expect(stage.failure == nil, "the next attempt may show something")
            #expect(stage.rehearse(Schedule()) != nil)
        }
    }

    @Test func `after six that hang there are no more attempts`() async {
        await #expect(processExitsWith: .success) {
            let stage = try ShrinkingTests.stage(Program { while true { pause() } }, stepTime: 0)
            for _ in 0..<6 { #expect(stage.rehearse(Schedule())?.end?.kind == .timeout) }
            #expect(stage.rehearse(Schedule()) == nil)
        }
    }

    @Test func `an interruption ends the attempts`() async {
        await #expect(processExitsWith: .success) {
            let stage = try ShrinkingTests.stage(Program {})
            #expect(stage.rehearse(Schedule()) != nil)
            Surroundings.ThreadAddress().signal(SIGINT)
            #expect(stage.rehearse(Schedule()) == nil)
        }
    }

    @Test(arguments: [OutcomeKind.crash, .deadlock].map(\.rawValue)) func `a finding is made short and told`(
        kind: String
    ) async {
        await #expect(processExitsWith: .success) { [kind] in
            let kind = try #require(OutcomeKind(rawValue: kind))
            let program = Program(.may(kind)) {
                let (a, b) = (Mutex("a"), Mutex("b"))
                let threads = try [(a, b), (b, a)].map { first, second in
                    try Thread {
                        try first.lock()
                        if kind == .crash, try !second.tryLock() { abort() }
                        if kind == .deadlock { try second.lock() }
                        try second.unlock()
                        try first.unlock()
                    }
                }
                for thread in threads { try thread.join() }
            }
            var plan = SearchPlan(program)
            plan.strategy = .random
            let told = try SearchSupervisor.run(plan).findings
            #expect(told.map(\.finding.kind) == [kind])
            let shrunk = try #require(told.first?.shrunk)
            #expect(told[0].isConfirmed)
            #expect(shrunk.rehearsal.cost.preemptions <= shrunk.original.preemptions)
            #expect(told[0].trace.outcome?.kind == kind)
        }
    }
}
