import Exploration
import Glibc
import Machine
import Primitives
import Testing
import Trace

@testable import Supervision

/// A search whose processes the program may end or overwrite.
@Suite struct SearchSupervisorTests {
    /// Two threads, of which the second may be first: then it misbehaves.
    static func race(_ mischief: @escaping @Sendable () -> Void) -> Program {
        Program(.may(.crash)) {
            let winner = Atomic("winner", 0)
            let threads = try (1...2).map { number in
                try Thread("thread \(number)") {
                    if try winner.compareExchange(expected: 0, desired: number).exchanged, number == 2 { mischief() }
                }
            }
            for thread in threads { try thread.join() }
        }
    }

    static func plan(_ program: Program, jobs: Int = 1) -> SearchPlan {
        var plan = SearchPlan(program)
        plan.goal.keepsGoing = true
        plan.goal.countsTerminals = true
        plan.jobs = jobs
        // The search ends by itself.
        plan.time = .max / 4
        return plan
    }

    @Test func `any number of processes has the same result`() async {
        await #expect(processExitsWith: .success) {
            let program = Program(.may(.assertion)) {
                let count = Shared("count", 0)
                let threads = try (1...2).map { _ in
                    try Thread { try count.write(try count.read() + 1) }
                }
                for thread in threads { try thread.join() }
                try check(try count.read() == 2, "both were counted")
            }
            let results = try (1...3).map { jobs in
                try SearchSupervisor.run(SearchSupervisorTests.plan(program, jobs: jobs), telling: .none).result
            }
            #expect(results[0].isProof && results[0].findings.contains { $0.kind == .assertion })
            for result in results {
                #expect(result.counts == results[0].counts)
                #expect(result.findings.map(\.schedule) == results[0].findings.map(\.schedule))
                #expect(result.terminals.rows.map(\.count) == results[0].terminals.rows.map(\.count))
            }
        }
    }

    @Test(arguments: [1, 2]) func `after a crash the search continues to its end`(jobs: Int) async {
        await #expect(processExitsWith: .success) { [jobs] in
            let program = SearchSupervisorTests.race { abort() }
            let (result, told) = try SearchSupervisor.run(SearchSupervisorTests.plan(program, jobs: jobs))
            #expect(result.isProof)
            #expect(result.findings.map(\.kind) == [.crash])
            #expect(told.map(\.isConfirmed) == [true])
            #expect(told[0].trace.outcome?.kind == .crash)
            #expect(Set(result.terminals.rows.map(\.state.kind)) == [.completed, .crash])
        }
    }

    @Test(arguments: [1, 2]) func `a report that was written over is an error, and no trap`(jobs: Int) async {
        await #expect(processExitsWith: .success) { [jobs] in
            Surroundings.sparePipes()
            let signals = Surroundings.blockedSignals
            let program = SearchSupervisorTests.race { Surroundings.scribble() }
            do {
                _ = try SearchSupervisor.run(SearchSupervisorTests.plan(program, jobs: jobs))
                Issue.record("the mistake was not noticed")
            } catch let failure as SupervisionFailed {
                #expect(failure.description == DamagedMessage.explanation)
            }
            #expect(Surroundings.blockedSignals == signals)
        }
    }

    @Test func `an interrupted search tells what it has found so far`() async {
        await #expect(processExitsWith: .success) {
            let supervisor = Surroundings.ThreadAddress()
            let program = Program {
                supervisor.signal(SIGINT)
                while true { pause() }
            }
            let result = try SearchSupervisor.run(SearchSupervisorTests.plan(program)).result
            #expect(result.stop == .interrupted && result.counts.executions == 0 && result.findings.isEmpty)
        }
    }
}
