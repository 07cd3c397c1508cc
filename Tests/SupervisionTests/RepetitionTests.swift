import Glibc
import Machine
import Primitives
import Scenarios
import Testing
import Trace

@testable import Supervision

/// Many controlled runs in few processes, which the program may end.
@Suite struct RepetitionTests {
    static let lostUpdate = Program(.may(.assertion)) {
        let count = Atomic("count", 0)
        let threads = try (1...2).map { _ in try Thread { try count.store(try count.load() + 1) } }
        for thread in threads { try thread.join() }
        try check(try count.load() == 2, "both were counted")
    }

    static func plan(_ program: Program, count: Int = 40, jobs: Int = 2) -> RepetitionPlan {
        RepetitionPlan(
            program, rules: Rules(maximumSteps: 1000), seed: 7, count: count, timeout: .max / 4, jobs: jobs)
    }

    /// What the same seeds give, each in a process of its own.
    static func tallyOfSingleRuns(_ plan: RepetitionPlan) throws -> OutcomeTally {
        var tally = OutcomeTally()
        for number in 0..<plan.count {
            var run = plan.run(number)
            run.isSilent = true
            let kind = try #require(try Supervisor.finish(run).trace.outcome?.kind)
            tally.add(kind, first: number)
        }
        return tally
    }

    @Test(arguments: [1, 2, 3]) func `each run is the one that its seed gives alone`(jobs: Int) async {
        await #expect(processExitsWith: .success) { [jobs] in
            let plan = RepetitionTests.plan(RepetitionTests.lostUpdate, jobs: jobs)
            let result = try RepetitionSupervisor.run(plan)
            #expect(Set(result.tally.kinds) == [.completed, .assertion])
            let single = try RepetitionTests.tallyOfSingleRuns(plan)
            #expect(result.tally == single)
            #expect(result.signal == nil && !result.isUnrepeatable)
        }
    }

    /// What a run may do to its process.
    enum Mischief: String, Codable, CaseIterable {
        case crash, exit, quitWell

        func commit() {
            switch self {
            case .crash: abort()
            case .exit: Glibc.exit(3)
            case .quitWell: Glibc.exit(0)
            }
        }
    }

    @Test(arguments: Mischief.allCases) func `a run that ends its process costs no other run`(
        mischief: Mischief
    ) async {
        await #expect(processExitsWith: .success) { [mischief] in
            let program = SearchSupervisorTests.race { mischief.commit() }
            let plan = RepetitionTests.plan(program)
            let tally = try RepetitionSupervisor.run(plan).tally
            #expect(Set(tally.kinds) == [.completed, .crash] && tally.count == plan.count)
            let single = try RepetitionTests.tallyOfSingleRuns(plan)
            #expect(tally == single)
        }
    }

    @Test func `a run that loops forever is stopped at its time limit, and the others count`() async {
        await #expect(processExitsWith: .success) {
            var plan = RepetitionTests.plan(SearchSupervisorTests.race { while true { sched_yield() } }, count: 4)
            plan.timeout = 1_000_000
            // Whichever threads were first in the other runs, they were given their time to end.
            plan.seed = 3
            let tally = try RepetitionSupervisor.run(plan).tally
            #expect(tally[.timeout] != nil && tally.count == plan.count)
        }
    }

    @Test func `a run over its steps has run out of time`() async {
        await #expect(processExitsWith: .success) {
            let program = Program {
                let flag = Atomic("flag", 0)
                while try flag.load() == 0 {}
            }
            let plan = RepetitionTests.plan(program, count: 3)
            let tally = try RepetitionSupervisor.run(plan).tally
            #expect(tally.kinds == [.timeout])
            let single = try RepetitionTests.tallyOfSingleRuns(plan)
            #expect(tally == single)
        }
    }

    @Test func `locks in different orders are counted where the scenario expects them`() async {
        await #expect(processExitsWith: .success) {
            let program = Program(.may(.lockOrder)) {
                let (a, b) = (Mutex("a"), Mutex("b"))
                let first = try Thread { try a.withLock { try b.withLock {} } }
                let second = try Thread {
                    try Thread.sleep(for: .milliseconds(1))
                    try b.withLock { try a.withLock {} }
                }
                try first.join()
                try second.join()
            }
            let plan = RepetitionTests.plan(program, count: 10)
            let tally = try RepetitionSupervisor.run(plan).tally
            #expect(tally.kinds == [.lockOrder])
            let single = try RepetitionTests.tallyOfSingleRuns(plan)
            #expect(tally == single)
        }
    }

    @Test func `runs that depend on those before them are not counted`() async {
        await #expect(processExitsWith: .success) {
            let runs = SharedCounter()
            let program = Program { try Atomic("runs", 0).store(runs.next()) }
            let result = try RepetitionSupervisor.run(RepetitionTests.plan(program))
            #expect(result.isUnrepeatable && result.tally.count == 0)
        }
    }

    @Test(arguments: [SIGINT, SIGTERM]) func `an interrupted repetition counts what it has done`(signal: Int32) async {
        await #expect(processExitsWith: .success) { [signal] in
            let signals = Surroundings.blockedSignals
            let plan = RepetitionTests.plan(RepetitionTests.lostUpdate, count: 1_000_000_000)
            var seen = 0
            let result = try RepetitionSupervisor.run(plan) { tally in
                if tally.count > 0 && seen == 0 { raise(signal) }
                seen = tally.count
            }
            #expect(result.signal == signal)
            #expect(seen > 0 && result.tally.count >= seen && result.tally.count < plan.count)
            #expect(Surroundings.blockedSignals == signals)
        }
    }
}

/// A number that grows with each run in a process.
final class SharedCounter: @unchecked Sendable {
    private var count = 0

    func next() -> Int {
        count += 1
        return count
    }
}
