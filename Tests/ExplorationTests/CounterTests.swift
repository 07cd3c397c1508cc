import Execution
import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// A variable that only counts hides no livelock; and what decides something is no counter.
@Suite struct CounterTests {
    struct Program: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String

        init(_ description: String, _ text: String) {
            testDescription = description
            self.text = text
        }
    }

    private static let livelocks = [
        Program(
            "an atomic that is only added to",
            """
            atomic stop = false, polls = 0
            thread worker { while !stop.load() { polls.add(1); yield } }
            thread boss { sleep 1ms }
            """),
        Program(
            "an atomic that is stored with one more",
            """
            atomic stop = 0, n = 0
            thread a { while stop.load() == 0 { n.store(n.load() + 1) } }
            thread b { stop.store(0) }
            """),
        Program(
            "a plain variable", "atomic stop = 0\nshared n = 0\nthread a { while stop.load() == 0 { n += 1 } }"),
        Program(
            "a variable of the thread",
            "atomic stop = 0\nthread a { var n = 0; while stop.load() == 0 { n += 1 } }"),
        Program(
            "a variable of a function",
            "atomic stop = 0, n = 0\nfunc next(x: Int) -> Int { return x + 1 }\nthread a { var k = 0; while stop.load() == 0 { k = next(x: k); n.store(k) } }"
        ),
        Program(
            "an element of an array",
            "atomic stop = 0, n[2] = 0\nthread a[2] { while stop.load() == 0 { n[index].add(1); yield } }"),
        Program(
            "one counter receives what another counts",
            "atomic stop = 0, n = 0, last = 0\nthread a { while stop.load() == 0 { last.store(n.load()); n.add(1) } }"),
        Program(
            "a counter that the end looks at",
            "atomic stop = 0, n = 0\nthread a { while stop.load() == 0 { n.add(1) } }\nfinally { assert n.load() >= 0 }\nexpect never n == 3"
        ),
        Program(
            "two that keep each other waiting",
            """
            atomic isOutside[2] = true, rounds = 0
            thread person[2] {
                while isOutside[1 - index].load() { rounds.add(1); sleep 1ms }
                isOutside[index].store(false)
            }
            """),
    ]

    private static let others = [
        Program(
            "a condition", "atomic n = 0\nthread a { while n.load() < 1000 { n.add(1) } }"),
        Program(
            "a condition of another thread",
            "atomic stop = 0, n = 0\nthread a { while stop.load() == 0 { n.add(1) } }\nthread b { await n.load() > 2000; stop.store(1) }"
        ),
        Program(
            "a subscript",
            "atomic n = 0\nshared x[1000] = 0\nthread a { while true { x[n.load()] = 1; n.add(1) } }"),
        Program(
            "a copy", "atomic n = 0, m = 0\nthread a { while m.load() < 1000 { n.add(1); m.store(n.load()) } }"),
        Program(
            "an assertion", "atomic n = 0\nthread a { while true { n.add(1); assert n.load() < 1000 } }"),
        Program("a claim on the way", "atomic n = 0\nthread a { while true { n.add(1) } }\ninvariant n < 1000"),
        Program(
            "a compare-exchange",
            "atomic n = 0\nthread a { while !n.compareExchange(1000, 0) { n.add(1) } }"),
        Program("an overflow", "atomic n = 1\nthread a { while true { n.store(n.load() + n.load()) } }"),
        Program(
            "a division",
            "atomic n = 0\nthread a { while true { n.add(1); n.store(1000 / (1000 - n.load()) * 0 + n.load()) } }"),
        Program(
            "a loop at the end",
            "atomic stop = 0\nshared x[2] = 0\nthread a { while stop.load() == 0 { yield } }\nthread b { stop.store(1) }\nfinally { for n in 0...1 { assert x[n] == 0 } }"
        ),
        Program("a result", "atomic n = 0\nthread a { while n.add(1) < 1000 { } }"),
        Program(
            "a duration",
            "atomic n = 0\nthread a { while true { n.add(1); sleep n.load() * 1ms; if choose(2) == 0 { return } } }"),
    ]

    private static let rules = Rules(maximumSteps: 20_000)

    @Test(arguments: livelocks) func `the driver finds a livelock that counts, with fibers and without`(
        _ program: Program
    ) throws {
        let program = try TestProgram(program.text)
        #expect(program.engine().hasCounters)
        let engine = program.engine(Self.rules)
        for seed in UInt64(1)...5 {
            #expect(engine.run(RandomWalk(seed: seed)) == .endless)
            let schedule = engine.schedule
            #expect(engine.run(Replay(schedule)) == .endless)
            let runtime = ControlledRuntime(chooser: Replay(schedule), rules: engine.rules)
            #expect(runtime.run { try InterpretedProgram(program.bytecode).run() } == .endless)
        }
    }

    private func finds(_ program: Program, _ strategy: StrategyChoice) throws -> Bool {
        let unit = Agenda.Unit(strategy: strategy, executions: 0..<20, before: 0)
        var settings = StrategySettings()
        settings.rules = Self.rules
        var search = UnitSearch(unit, SearchGoal())
        let observed = ObservedStrategy(strategy.make(settings), distinguishesTraces: false)
        let report = search.run(observed, on: try TestProgram(program.text).engine(Self.rules)) { false }
        return report.findings.map(\.kind).contains(.livelock)
    }

    @Test(arguments: livelocks) func `the search by partial orders finds it`(_ program: Program) throws {
        #expect(try finds(program, .dpor))
    }

    @Test(arguments: [StrategyChoice.dfs, .preempt, .delay]) func `the other exhaustive strategies find it`(
        _ strategy: StrategyChoice
    ) throws { #expect(try finds(Self.livelocks[0], strategy)) }

    @Test(arguments: livelocks, [false, true]) func `the search by states finds it among few states`(
        _ program: Program, _ isDepthFirst: Bool
    ) throws {
        let engine = try TestProgram(program.text).engine()
        var settings = StateSettings()
        settings.isDepthFirst = isDepthFirst
        var goal = SearchGoal()
        goal.keepsGoing = true
        let report = StateSearch(engine, goal, settings).run(8000)
        let finding = try #require(report.findings.first { $0.kind == .livelock })
        #expect(engine.run(Replay(finding.schedule)) == .endless)
        #expect(engine.place == finding.place)
        let shrunk = try #require(
            Shrinker.shrink(finding.schedule, to: finding.identity, on: engine, patience: 300_000))
        #expect(shrunk.schedule.stepCount <= 20 && engine.run(Replay(shrunk.schedule)) == .endless)
    }

    @Test(arguments: others) func `what decides something is no counter`(_ program: Program) throws {
        let program = try TestProgram(program.text)
        let engine = program.engine(Rules(maximumSteps: 3000))
        for seed in UInt64(1)...5 { #expect(engine.run(RandomWalk(seed: seed)) != .endless) }
        let report = StateSearch(program.engine(), SearchGoal()).run(8000)
        #expect(report.findings.allSatisfy { $0.kind != .livelock })
    }

    @Test func `counting is no progress, and hides none`() throws {
        let text = """
            atomic go = 0, n = 0
            thread a { while true { n.add(1); progress } }
            thread b { while true { n.add(1); if go.load() == 1 { progress } } }
            """
        let engine = try TestProgram(text).engine(Self.rules)
        #expect(engine.run(RandomWalk(seed: 1)) == .starvation)
        var goal = SearchGoal()
        goal.keepsGoing = true
        #expect(StateSearch(engine, goal).run(8000).findings.map(\.kind) == [.starvation])
    }

    @Test func `executions that end are told apart by what they have counted`() throws {
        let program = try TestProgram(
            "atomic n = 0\nthread a { var left = 3; while left > 0 { left = left - choose(2) - 1; n.add(1) } }")
        #expect(program.engine().hasCounters)
        var goal = SearchGoal()
        goal.countsTerminals = true
        let report = StateSearch(program.engine(), goal).run(20_000)
        #expect(report.end == .exhausted && report.terminals.rows.count == 2)
    }
}
