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

    /// Two threads race, after others had their turns.
    private static let racy = """
        atomic x = 0
        shared data = 0
        thread a { x.store(1, relaxed); data = 1 }
        thread b { if x.load(relaxed) == 1 { data = 2 } }
        thread c { x.store(2, relaxed) }
        thread d { x.store(3, relaxed) }
        """

    @Test(arguments: [1, 2, 5, .max])
    func `an execution that a race cuts short counts once, however turns divide the search`(
        _ most: Int
    ) throws {
        func counts(_ most: Int) throws -> (SearchCounts, number: Int) {
            var rules = Rules()
            rules.model = .rc11
            let prover = GraphProver(try TestProgram(Self.racy).engine(rules), SearchGoal(), rules)
            var result = SearchResult()
            var report = run(prover, most)
            while report.end == .done {
                result.add(report, of: .graphs, SearchGoal())
                report = run(prover, most)
            }
            #expect(report.end == .found)
            result.add(report, of: .graphs, SearchGoal())
            return (result.counts, try #require(result.findings.first).number)
        }
        let (whole, number) = try counts(.max)
        // The race is in the last execution, which is cut short there.
        #expect(whole.executions == number && whole.steps > 0)
        let turns = try counts(most)
        #expect(turns.0 == whole && turns.number == number)
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
