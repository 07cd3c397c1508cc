import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// A thread that is never joined is one finding, whatever it was doing at the end.
@Suite struct LeakIdentityTests {
    private static let leak = "thread t { spawn kid }\nthread kid { yield; yield }"

    private func findings(_ text: String, _ strategy: StrategyChoice) throws -> [Counterexample] {
        var goal = SearchGoal()
        goal.keepsGoing = true
        let unit = Agenda.Unit(strategy: strategy, executions: 0..<1000, before: 0)
        var search = UnitSearch(unit, goal)
        let observed = ObservedStrategy(strategy.make(StrategySettings()), distinguishesTraces: false)
        return search.run(observed, on: try TestProgram(text).engine()) { false }.findings
    }

    @Test(arguments: [StrategyChoice.dpor, .dfs, .random]) func `a leak has one minimum`(
        _ strategy: StrategyChoice
    ) throws {
        let found = try findings(Self.leak, strategy)
        #expect(found.map(\.kind) == [.leak])
        let shrunk = try #require(
            Shrinker.shrink(
                found[0].schedule, to: found[0].identity, on: try TestProgram(Self.leak).engine(), patience: 100_000))
        #expect(shrunk.cost == ScheduleCost(preemptions: 0, steps: 4) && shrunk.minimality == .steps)
    }

    @Test func `elements of an array of threads leak as one, and two declared threads as each and both`() throws {
        #expect(try findings("thread t { spawn kid }\nthread kid[2] { yield }", .dpor).count == 1)
        let two = """
            thread t { spawn one; spawn two; if choose(2) == 0 { join one } else { if choose(2) == 0 { join two } } }
            thread one { }
            thread two { }
            """
        #expect(try findings(two, .dpor).count == 3)
    }
}
