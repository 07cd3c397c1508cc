import Exploration
import Machine
import Testing
import Trace

/// When a search that continues after findings has seen enough.
@Suite struct SearchResultTests {
    private static let goal = {
        var goal = SearchGoal()
        goal.sought = [.deadlock, .race]
        goal.soughtStates = 1
        goal.longestQuiet = 100
        return goal
    }()

    private func report(_ executions: Int, _ kinds: [OutcomeKind] = [], states: Set<Int> = []) -> UnitReport {
        var report = UnitReport()
        report.counts.executions = executions
        report.findings = kinds.map {
            Counterexample($0, place: 0, schedule: Schedule(), steps: 0, number: 1, strategy: .dpor)
        }
        report.seenStates = states
        return report
    }

    /// Whether it is over after each of the reports.
    private func ends(_ reports: [UnitReport], _ goal: SearchGoal = goal) -> [Bool] {
        var result = SearchResult()
        return reports.map { report in
            result.add(report, of: .dpor, goal)
            return result.isQuiet && result.isOver
        }
    }

    @Test func `after all that is sought, it ends when nothing new comes`() {
        let all = report(50, [.deadlock, .race], states: [0])
        #expect(ends([all, report(99), report(1)]) == [false, false, true])
    }

    @Test func `news keep it going`() {
        let all = report(50, [.deadlock, .race], states: [0])
        #expect(ends([all, report(99), report(1, [.crash]), report(99), report(1)]).suffix(2) == [false, true])
    }

    @Test func `what is known is no news`() {
        let all = report(50, [.deadlock, .race], states: [0])
        #expect(ends([all, all, all]) == [false, false, true])
    }

    @Test func `an execution's number is among those that were run, also after a unit that ended before its time`() {
        var result = SearchResult()
        result.add(report(1), of: .dpor, SearchGoal())
        var second = report(56)
        second.findings = [
            Counterexample(.race, place: 0, schedule: Schedule(), steps: 3, number: 55, strategy: .random)
        ]
        result.add(second, of: .dpor, SearchGoal())
        #expect(result.findings.map(\.number) == [56])
        #expect(result.counts.executions == 57)
    }

    @Test func `an execution that ended its process, and was not run again, is counted`() {
        var result = SearchResult()
        result.add(report(7, [.race]), of: .dpor, SearchGoal())
        let fatal = Counterexample(.crash, place: 1, schedule: Schedule(), steps: 3, number: 100, strategy: .random)
        for _ in 1...2 { result.addFatal(fatal, .crash) }
        #expect(result.findings.map(\.number) == [1, 8])
        #expect(result.counts.executions == 8)
    }

    @Test func `while something is missing, it continues`() {
        #expect(ends([report(50, [.deadlock], states: [0]), report(1000)]) == [false, false])
        #expect(ends([report(50, [.deadlock, .race]), report(1000)]) == [false, false])
    }

    @Test func `where no end is sought, or quiet is no reason, it continues`() {
        var goal = Self.goal
        goal.sought = []
        #expect(ends([report(50, states: [0]), report(1000)], goal) == [false, false])
        goal = Self.goal
        goal.longestQuiet = nil
        #expect(ends([report(50, [.deadlock, .race], states: [0]), report(1000)], goal) == [false, false])
    }
}
