import Authoring
import Glibc
import Machine
import Primitives
import Scenarios
import Support
import Testing
import Trace

@testable import Supervision

/// Runs that share a process, until one of them ends it.
@Suite struct RunsInOneProcessTests {
    @Test(arguments: SupervisorTests.End.allCases) func `each run is reported, up to the first that ends the process`(
        end: SupervisorTests.End
    ) async {
        await #expect(processExitsWith: .success) { [end] in
            let supervisor = Surroundings.ThreadAddress()
            // This process has no runs: the first of the other is number 1.
            let numbers = SharedCounter()
            let news = try Surroundings.makePipe()
            let program = Program {
                let number = numbers.next()
                let mutex = Mutex("m")
                try mutex.withLock { note("run \(number)") }
                guard number == 3 else { return }
                var byte: UInt8 = 0
                write(news.writer, &byte, 1)
                try end.act(mutex, supervisor)
            }
            let plans = (1...4).map { seed in
                var plan = RunPlan(program, .controlled(seed: UInt64(seed)))
                plan.timeout = .max / 2
                // Its time is over when the third run is known to have reached its end.
                if end == .endless, seed == 3 {
                    plan.clock = {
                        var poll = pollfd(fd: news.reader, events: Int16(POLLIN), revents: 0)
                        return Glibc.poll(&poll, 1, 0) > 0 ? .max : 0
                    }
                }
                return plan
            }
            let before = Surroundings.blockedSignals
            let runs = try Supervisor.finish(plans)
            let endsProcess = [.crash, .interrupted, .timeout].contains(end.outcome)
            let outcomes: [OutcomeKind?] = [.completed, .completed, end.outcome] + (endsProcess ? [] : [.completed])
            let isWhole = runs.map(\.trace.outcome?.kind) == outcomes
            #expect(isWhole)
            for (index, run) in runs.enumerated() {
                let says = run.trace.events.compactMap { run.trace.text(of: $0) }.contains("run \(index + 1)")
                #expect(says)
                #expect(run.trace.header.seed == UInt64(index + 1))
            }
            #expect(Surroundings.blockedSignals == before)
        }
    }

    @Test(arguments: [true, false])
    func `a hundred random executions after a search need few processes, if they leave nothing in them`(
        leavesNothing: Bool
    ) async {
        await #expect(processExitsWith: .success) { [leavesNothing] in
            var program = Program { note("\(getpid())") }
            program.leavesNothing = leavesNothing
            var plan = SearchPlan(program)
            // They end by themselves.
            plan.time = .max / 4
            var runs = RandomRuns(plan)
            var processes: [String] = []
            while let run = try runs.next() {
                processes += run.trace.events.compactMap { run.trace.text(of: $0) }
            }
            #expect(processes.count == 100)
            #expect(Set(processes).count == (leavesNothing ? 11 : 100))
            #expect(!processes.contains("\(getpid())"))
        }
    }

    @Test func `they are what each is in a process of its own`() async {
        await #expect(processExitsWith: .success) {
            let program = SearchSupervisorTests.race {}
            let plans = (1...20).map { RunPlan(program, .controlled(seed: UInt64($0))) }
            let together = try Supervisor.finish(plans)
            let alone = try plans.map { try Supervisor.finish($0) }
            let (these, those) = (together.map(\.trace.events), alone.map(\.trace.events))
            #expect(these == those)
            #expect(together.map(\.trace.header) == alone.map(\.trace.header))
            #expect(Set(these.map(\.count)).count > 0 && together.count == 20)
        }
    }

    /// The configured variants of a built-in scenario.
    private static func programs<S: Scenario>(of scenario: S.Type) -> [ScenarioProgram] {
        S.Variant.allCases.map { variant in
            let scenario = S()
            _ = scenario.set("variant", to: variant.argument)
            return ScenarioProgram(scenario)
        }
    }

    /// Their seeds are in the order in which a process could have something left of the run before.
    @Test func `built-in scenarios leave nothing in their process`() async {
        await #expect(processExitsWith: .success) {
            let all = Catalogue.builtIn.filter { $0.realThreadsOnly == nil }.flatMap {
                RunsInOneProcessTests.programs(of: $0)
            }
            for program in Extent.part(of: all, every: 3) {
                #expect(program.leavesNothing)
                let plans = (1...5).map { RunPlan(program, .controlled(seed: UInt64($0))) }
                let together = try Supervisor.finish(plans)
                let alone = try plans.map { try Supervisor.finish($0) }
                #expect(together.count == 5)
                let isSame = zip(together, alone).allSatisfy {
                    $0.trace.header == $1.trace.header && $0.trace.events == $1.trace.events
                }
                #expect(isSame, "\(program.name) \(program.label)")
            }
        }
    }
}
