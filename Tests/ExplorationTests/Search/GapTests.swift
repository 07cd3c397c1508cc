import Exploration
import Machine
import Testing

/// The list of what a search has not done, which alone decides whether its result is a proof.
@Suite struct GapTests {
    private static func result(_ end: UnitReport.End, change: (inout UnitReport) -> Void = { _ in }) -> SearchResult {
        var report = UnitReport()
        report.end = end
        report.distinct = 3
        change(&report)
        var result = SearchResult()
        result.add(report, of: .dpor, SearchGoal())
        return result
    }

    @Test func `a search that has tried everything has no gap`() {
        #expect(Self.result(.exhausted).gaps.isEmpty && Self.result(.exhausted).isProof)
    }

    @Test(arguments: [UnitReport.End.done, .found, .bounded, .stopped])
    func `one that has not is unfinished`(end: UnitReport.End) {
        let result = Self.result(end)
        #expect(result.gaps.last == .unfinished(nil) && !result.isProof)
        #expect(result.gaps.contains(.bound) == (end == .bounded))
    }

    @Test(arguments: [SearchResult.Stop.executions, .time, .interrupted, .fatalEnds])
    func `the reason of an early end is told`(stop: SearchResult.Stop) {
        var result = Self.result(.done)
        result.stop = stop
        #expect(result.gaps == [.unfinished(stop)])
    }

    @Test(arguments: [
        Obstacle.time, .misjudged, .diverged(choice: 2), .sharedThread, .tooLong, .hiddenRace,
    ])
    func `a strategy that has given up proves nothing`(obstacle: Obstacle) {
        let result = Self.result(.bounded) { $0.obstacle = obstacle }
        #expect(result.gaps == [.abandoned(obstacle), .unfinished(nil)])
    }

    @Test func `each reason for which a strategy has given up is told, and told once`() {
        var result = Self.result(.bounded) { $0.obstacle = .time }
        for (strategy, obstacle) in [(StrategyChoice.graphs, Obstacle.tooLong), (.dpor, .time)] {
            var report = UnitReport()
            report.end = .bounded
            report.obstacle = obstacle
            result.add(report, of: strategy, SearchGoal())
        }
        #expect(result.gaps == [.abandoned(.time), .abandoned(.tooLong), .unfinished(nil)])
    }

    @Test func `a reason of a search of graphs does not hide that the states needed more memory`() {
        var result = Self.result(.bounded) { $0.obstacle = .tooLong }
        var report = UnitReport()
        report.end = .bounded
        result.add(report, of: .states, SearchGoal())
        #expect(result.gaps == [.abandoned(.tooLong), .memory, .unfinished(nil)])
    }

    @Test func `executions that were cut off are a gap, unless all states were visited`() {
        let result = Self.result(.exhausted) { $0.counts.cutOff = 2 }
        #expect(result.gaps == [.cutOff(executions: 2)])
        var states = SearchResult()
        var report = UnitReport()
        report.counts.cutOff = 2
        states.add(report, of: .random, SearchGoal())
        report = UnitReport()
        report.end = .exhausted
        report.distinct = 5
        states.add(report, of: .states, SearchGoal())
        #expect(states.isProof)
    }

    @Test func `what a search that allows more has not tried is a gap, and what it has tried is none of this one`() {
        let rules = Rules(spuriousWakeups: 1)
        var result = Self.result(.exhausted)
        result.add(WiderSearch(.spurious, rules, Self.result(.bounded)))
        #expect(result.gaps == [.wider(.spurious)] && !result.isProof)
        result = Self.result(.bounded)
        result.add(WiderSearch(.spurious, rules, Self.result(.exhausted)))
        #expect(result.isProof)
    }

    @Test func `findings of a search that allows more are findings under its rules`() {
        var wider = SearchResult()
        wider.add(Counterexample(.deadlock, place: 1, schedule: Schedule(), steps: 2, number: 3, strategy: .dpor))
        var result = Self.result(.exhausted) { $0.counts.executions = 4 }
        result.add(WiderSearch(.spurious, Rules(spuriousWakeups: 1), wider))
        #expect(result.findings.map(\.rules?.spuriousWakeups) == [1])
        #expect(result.findings.map(\.number) == [7])
    }

    @Test func `so is a program that was not controlled`() {
        var result = Self.result(.exhausted)
        result.discrepancy = .foreignThread("A thread came")
        #expect(result.gaps == [.uncontrolled(.foreignThread("A thread came"))] && !result.isProof)
    }

    @Test(arguments: [3, nil]) func `states in a table that was too small, or compared by hash, prove nothing`(
        count: Int?
    ) {
        var report = UnitReport()
        report.end = .bounded
        report.distinct = count
        var result = SearchResult()
        result.add(report, of: .states, SearchGoal())
        #expect(result.gaps.map(\.kind) == [count == nil ? .memory : .hashes, .unfinished])
    }
}
