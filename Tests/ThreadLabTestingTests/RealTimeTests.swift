import Authoring
import Exploration
import Histories
import Machine
import Supervision
import Testing
import ThreadLab

@testable import ThreadLabTesting

/// The real-time order of calls under the reduction by partial orders.
@Suite struct RealTimeTests {
    /// A register whose writes nobody reads: its operations have no step on a common object, so that all orders of
    /// them are one to a search by partial orders.
    final class Deaf: @unchecked Sendable {
        private let written = Atomic("written", 0)
        private let heard = Atomic("heard", 0)

        func write(_ value: Int) throws { try written.store(value) }
        func read() throws -> Int { try heard.load() }
    }

    private func list(_ list: inout OperationList<Deaf, Int>) {
        list.operation("read") {
            try $0.read()
        } model: {
            $0
        }
        list.operation("write", [1]) {
            try $0.write($1)
        } model: {
            $0 = $1
        }
    }

    @Test func `a call that is wrong only because it comes too late is found`() {
        let text = issueText { try exploreOperations(of: { Deaf() }, model: 0, each: 1, operations: list) }
        #expect(text.contains("read() → 1   instead of 0"))
    }

    @Test func `sequential consistency does not mind`() throws {
        let result = try exploreOperations(
            of: { Deaf() }, model: 0, each: 1, .exhaustive, criterion: .sequentialConsistency, operations: list)
        #expect(result.triedEverything)
    }

    @Test func `quiescent consistency minds if no call was open in between`() {
        let text = issueText {
            try exploreOperations(
                of: { Deaf() }, model: 0, each: 1, criterion: .quiescentConsistency, operations: list)
        }
        #expect(text.contains("Not quiescently consistent"))
    }

    // MARK: - Against all interleavings

    /// Collects the histories of all executions: results, and which call was seen to have returned before which.
    private final class Collector<Object, Model: Hashable>: Runnable, @unchecked Sendable {
        private let program: OperationProgram<Object, Model>
        private(set) var histories: Set<String> = []
        /// By thread, of its first call: the numbers of calls that had returned.
        private(set) var orders: Set<[[Int]]> = []

        init(_ program: OperationProgram<Object, Model>) { self.program = program }

        var name: String { "collector" }
        var label: String { "collector" }
        var parameters: [ParameterDescription] { [] }
        var arguments: [(name: String, value: String)] { [] }
        var guide: String? { nil }
        var expectation: Authoring.Expectation { .completes }
        func review(_ remains: Remains) throws {}

        func run() throws {
            try program.makeCalls()
            let threads = program.history.calls.map { calls in
                calls.map { "\($0.operation) \($0.answer?.text ?? "") \($0.returned)" }
            }
            histories.insert("\(threads)")
            orders.insert(program.history.calls.map { $0[0].returned })
        }
    }

    /// A counter of two steps, which loses updates.
    final class Counter: @unchecked Sendable {
        private let count = Atomic("count", 0)

        func add() throws -> Int {
            let old = try count.load()
            try count.store(old + 1)
            return old
        }
    }

    private func histories(
        _ threads: [[Int]], by strategy: StrategyChoice
    ) throws -> (all: Set<String>, orders: Set<[[Int]]>, runs: Int) {
        // Only what can be observed matters, not what is right.
        var list = OperationList<(Counter, Deaf), Int>()
        list.operation("add") {
            try $0.0.add()
        } model: { _ in
            0
        }
        list.operation("write", [1]) {
            try $0.1.write($1)
        } model: { _, _ in
        }
        let place = CallPlace(fileID: #fileID, filePath: #filePath, line: #line, column: #column, function: #function)
        let program = OperationProgram(
            OperationScenario(threads: threads), OperationModel(initial: 0, calls: list.calls), .linearizability, .sc,
            place
        ) { (Counter(), Deaf()) }
        let collector = Collector(program)
        var plan = SearchPlan(collector)
        plan.strategy = strategy
        plan.time = 60_000_000_000
        let watchdog = StepWatchdog(.explaining("test", at: place, limit: nil), plan.rules)
        defer { watchdog.stop() }
        let result = try LocalSearch.run(plan, log: watchdog.log).result
        #expect(result.isProof)
        return (collector.histories, collector.orders, result.counts.executions)
    }

    @Test(arguments: [[[0], [0]], [[1], [1]], [[0, 1], [1]], [[0, 1], [0]], [[1, 1], [1, 1]]])
    func `the reduced search observes what all interleavings show`(_ threads: [[Int]]) throws {
        let reduced = try histories(threads, by: .dpor)
        let whole = try histories(threads, by: .dfs)
        #expect(reduced.all == whole.all)
        #expect(reduced.runs < whole.runs)
    }

    @Test func `three calls are seen in each of the partial orders that real time can have`() throws {
        let orders = try histories([[1], [1], [1]], by: .dpor).orders
        var partialOrders = 0
        for bits in 0..<(1 << 9) {
            let relation = (0..<3).map { call in (0..<3).map { bits >> (3 * call + $0) & 1 } }
            let isPartialOrder = (0..<3).allSatisfy { a in
                relation[a][a] == 0
                    && (0..<3).allSatisfy { b in
                        (0..<3).allSatisfy { relation[a][b] == 0 || relation[b][$0] == 0 || relation[a][$0] == 1 }
                    }
            }
            guard isPartialOrder else { continue }
            partialOrders += 1
            #expect(orders.contains(relation))
        }
        #expect(partialOrders == 19)
    }
}
