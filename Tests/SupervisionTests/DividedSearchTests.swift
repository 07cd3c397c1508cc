import Exploration
import Glibc
import Machine
import Primitives
import Testing
import Trace

@testable import Supervision

/// A search by partial orders that is divided among processes.
@Suite struct DividedSearchTests {
    private static func plan(_ program: Program, jobs: Int) -> SearchPlan {
        var plan = SearchSupervisorTests.plan(program, jobs: jobs)
        plan.strategy = .dpor
        plan.executionsBeforeDivision = 100
        return plan
    }

    /// Threads that lock a mutex this often.
    ///
    /// - Parameter body: gets the numbers of the threads in the order in which they have locked it, as digits.
    private static func locking(
        threads: Int, times: Int, _ body: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> Program {
        Program(.may(.crash)) {
            let mutex = Mutex("mutex")
            let order = Shared("order", 0)
            let threads = try (1...threads).map { number in
                try Thread {
                    for _ in 0..<times {
                        try mutex.withLock {
                            let longer = try order.read() * 10 + number
                            body(longer)
                            try order.write(longer)
                        }
                    }
                }
            }
            for thread in threads { try thread.join() }
        }
    }

    @Test func `any number of processes tries each kind of execution once`() async {
        await #expect(processExitsWith: .success) {
            let program = DividedSearchTests.locking(threads: 3, times: 3)
            var whole = DividedSearchTests.plan(program, jobs: 1)
            whole.executionsBeforeDivision = .max
            let expected = try SearchSupervisor.run(whole, telling: .none).result
            #expect(expected.total == 1680)
            let results = try (1...3).map { jobs in
                try SearchSupervisor.run(DividedSearchTests.plan(program, jobs: jobs), telling: .none).result
            }
            for result in results {
                #expect(result.isProof && result.total == 1680)
                #expect(result.counts == results[0].counts)
                #expect(result.terminals.rows.map(\.count) == expected.terminals.rows.map(\.count))
            }
        }
    }

    @Test func `any number of processes has the same findings`() async {
        await #expect(processExitsWith: .success) {
            let program = Program(.may(.assertion)) {
                let last = Atomic("last", 0)
                let threads = try (1...3).map { number in
                    try Thread {
                        for _ in 0..<3 { try last.store(number) }
                    }
                }
                for thread in threads { try thread.join() }
                try check(try last.load() != 2, "the second thread is not the last")
            }
            let results = try (1...3).map { jobs in
                try SearchSupervisor.run(DividedSearchTests.plan(program, jobs: jobs), telling: .none).result
            }
            #expect(results[0].isProof && results[0].findings.contains { $0.kind == .assertion })
            for result in results {
                #expect(result.counts == results[0].counts)
                #expect(result.findings.map(\.schedule) == results[0].findings.map(\.schedule))
            }
        }
    }

    @Test(arguments: [1, 2]) func `after a crash in a part the search continues to its end`(jobs: Int) async {
        await #expect(processExitsWith: .success) { [jobs] in
            let program = DividedSearchTests.locking(threads: 3, times: 3) { if $0 == 333_222_111 { abort() } }
            let result = try SearchSupervisor.run(DividedSearchTests.plan(program, jobs: jobs), telling: .none).result
            #expect(result.isProof)
            #expect(result.findings.map(\.kind) == [.crash])
        }
    }

    @Test func `a program that cannot be divided is searched as a whole`() async {
        await #expect(processExitsWith: .success) {
            let program = Program {
                for _ in 0..<3 { _ = try choose(10) }
            }
            let result = try SearchSupervisor.run(DividedSearchTests.plan(program, jobs: 2), telling: .none).result
            #expect(result.isProof && result.total == 1000)
        }
    }
}
