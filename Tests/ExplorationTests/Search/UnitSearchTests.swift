import Exploration
import Machine
import Testing
import Trace

/// The report of a part of a search about the executions that it ran.
@Suite struct UnitSearchTests {
    private static let lostUpdate = "shared x = 0\nthread t[2] { let r = x; x = r + 1 }\nfinally { assert x == 2 }"

    private func report(
        _ text: String, _ goal: SearchGoal, _ choice: StrategyChoice = .dpor, rules: Rules = Rules()
    ) throws -> UnitReport {
        var settings = StrategySettings()
        settings.rules = rules
        let unit = Agenda.Unit(strategy: choice, executions: 0..<100_000, before: 0)
        var search = UnitSearch(unit, goal)
        let strategy = ObservedStrategy(choice.make(settings), distinguishesTraces: false)
        return search.run(strategy, on: try TestProgram(text).engine(rules), isStopped: { false })
    }

    private var all: SearchGoal {
        var goal = SearchGoal()
        goal.keepsGoing = true
        goal.countsTerminals = true
        return goal
    }

    @Test func `the search ends at a finding, and counts the executions up to it`() throws {
        let report = try report("mutex m\nthread t { m.lock(); m.lock() }", SearchGoal())
        #expect(report.end == .found)
        #expect(report.findings.map(\.kind) == [.deadlock])
        #expect(report.findings.map(\.number) == [1])
        #expect(report.counts.executions == 1)
    }

    @Test(arguments: [StrategyChoice.dpor, .dfs]) func `terminal states are those that there are`(
        choice: StrategyChoice
    ) throws {
        let report = try report(Self.lostUpdate, all, choice)
        #expect(report.end == .exhausted)
        let ends = Set(report.terminals.rows.map { "\($0.state.kind) \($0.state.memory.map(\.value))" })
        #expect(ends == ["race [2]", "assertion [1]"])
        #expect(report.terminals.rows.map(\.count).reduce(0, +) == report.counts.executions)
    }

    @Test func `the same outcome at the same place is one finding`() throws {
        let report = try report(Self.lostUpdate, all, .dfs)
        #expect(report.findings.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.assertion, .race])
    }

    @Test func `tolerated endings are reported, and do not end the search`() throws {
        var goal = SearchGoal()
        goal.tolerated = [.race]
        let report = try report(Self.lostUpdate, goal)
        #expect(report.end == .found)
        #expect(report.findings.last?.kind == .assertion)
    }

    @Test func `what is cut off is counted, and is no proof`() throws {
        let rules = Rules(maximumSteps: 20)
        let report = try report(
            "atomic x = 0\nthread t { while x.load() == 0 { } }\nthread u { x.store(1) }", SearchGoal(), .dfs,
            rules: rules)
        #expect(report.counts.cutOff > 0)
        #expect(report.end == .bounded)
        #expect(report.findings.isEmpty)
    }

    @Test func `a race counts in an execution that is cut off, whose memory at that moment does not`() throws {
        var goal = SearchGoal()
        goal.countsTerminals = true
        let report = try report(
            "shared x = 0, p = 0\nthread t { x = 1; repeat 30 { p += 1 } }\nthread u { x = 2 }", goal, .random,
            rules: Rules(maximumSteps: 20))
        #expect(report.findings.map(\.kind) == [.race])
        #expect(report.terminals.rows.map(\.state.kind) == [.race])
        #expect(report.terminals.rows.allSatisfy { $0.state.memory.isEmpty })
    }

    @Test(arguments: [StrategyChoice.dpor, .dfs, .random])
    func `the steps that are counted are those that were taken`(_ choice: StrategyChoice) throws {
        let program = "atomic x = 0, y = 0\nthread t[3] { y.add(1); repeat 3 { x.add(1) } }"
        let settings = StrategySettings()
        let subject = CountedSubject(try TestProgram(program).engine(settings.rules))
        let unit = Agenda.Unit(strategy: choice, executions: 0..<500, before: 0)
        var search = UnitSearch(unit, SearchGoal())
        let strategy = ObservedStrategy(choice.make(settings), distinguishesTraces: false)
        let report = search.run(strategy, on: subject, isStopped: { false })
        #expect(report.counts.executions == 500)
        #expect(report.counts.steps == subject.steps.count)
        #expect(report.counts.longest == subject.stepCount)
    }

    @Test func `an execution that is cut off has as many steps as it may`() throws {
        let rules = Rules(maximumSteps: 20)
        let report = try report(
            "atomic x = 0\nthread t { while x.add(1) >= 0 { } }", SearchGoal(), .dfs, rules: rules)
        #expect(report.counts.cutOff == 1)
        #expect(report.counts.longest == 20)
        #expect(report.counts.steps == 20)
    }

    @Test func `a bound that cuts something off leaves no proof`() throws {
        var settings = StrategySettings()
        settings.bound = 0
        let unit = Agenda.Unit(strategy: .preempt, executions: 0..<1000, before: 0)
        var search = UnitSearch(unit, SearchGoal())
        let strategy = ObservedStrategy(StrategyChoice.preempt.make(settings), distinguishesTraces: false)
        let engine = try TestProgram("atomic x = 0\nthread t[2] { x.add(1); x.add(1) }").engine()
        #expect(search.run(strategy, on: engine, isStopped: { false }).end == .bounded)
    }
}
