import LabExecution
import Machine
import Testing

@testable import Exploration

/// The search of graphs, divided into turns.
@Suite struct GraphTurnTests {
    fileprivate static let text = """
        atomic x = 0
        shared r = 0
        thread a { x.store(1, relaxed); x.store(2, relaxed) }
        thread b { x.store(3, relaxed); r = x.load(relaxed) }
        thread c { x.store(4, relaxed) }
        """

    private func prover() throws -> GraphProver {
        var rules = Rules()
        rules.model = .rc11
        var goal = SearchGoal()
        goal.countsTerminals = true
        return GraphProver(try TestProgram(Self.text).engine(rules), goal, rules)
    }

    private func run(_ prover: GraphProver, _ most: Int) -> UnitReport {
        prover.run(most, isStopped: { false }, publish: { _ in })
    }

    @Test(arguments: [1, 2, 7]) func `turns continue each other`(_ most: Int) throws {
        let whole = run(try prover(), .max)
        try #require(whole.end == .exhausted && whole.counts.executions > 20)
        let turns = try prover()
        var executions = 0
        var terminals = TerminalTable()
        var last = run(turns, most)
        while last.end == .done {
            #expect(last.counts.executions == most)
            executions += last.counts.executions
            terminals.add(last.terminals)
            last = run(turns, most)
        }
        terminals.add(last.terminals)
        #expect(last.end == .exhausted && last.distinct == whole.distinct)
        #expect(executions + last.counts.executions == whole.counts.executions)
        #expect(Set(terminals.rows.map(\.state)) == Set(whole.terminals.rows.map(\.state)))
    }

    @Test func `nothing is proved by graphs under sc, where they show no races`() async {
        await #expect(processExitsWith: .failure) {
            let engine = try TestProgram(Self.text).engine()
            _ = GraphProver(engine, SearchGoal(), engine.rules)
        }
    }

    @Test func `a search may be left, or stopped, between two turns`() throws {
        #expect(run(try prover(), 3).end == .done)
        let stopped = try prover()
        #expect(run(stopped, 3).end == .done)
        #expect(stopped.run(3, isStopped: { true }, publish: { _ in }).end == .stopped)
    }
}
