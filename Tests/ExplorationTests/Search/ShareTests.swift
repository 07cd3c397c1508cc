import Exploration
import Machine
import Testing
import Trace

/// Shares of an agenda of random executions.
@Suite struct ShareTests {
    @Test(arguments: [1, 99, 100, 101, 1100, 1101, 10_000, 123_456])
    func `the shares of an agenda have its units, each once`(limit: Int) throws {
        let whole = Agenda(.random, limit: limit)
        let count = Agenda.randomUnitCount(limit: limit)
        #expect(whole.unit(count - 1) != nil && whole.unit(count) == nil)
        let units = (0..<count).compactMap { whole.unit($0) }
        #expect(units.reduce(0) { $0 + $1.executions.count } == limit)
        for shares in [1, 2, 7] {
            var found: [Agenda.Unit] = []
            for number in 0..<shares {
                let own = count * number / shares..<count * (number + 1) / shares
                let middle = (own.lowerBound + own.upperBound) / 2
                let halves = [own.lowerBound..<middle, middle..<own.upperBound]
                let share = Agenda(.random, limit: limit, share: UnitNumbers(halves))
                found += (0..<own.count).compactMap { share.unit($0) }
                #expect(share.unit(own.count) == nil)
            }
            #expect(found == units)
        }
    }

    @Test func `reports that follow each other add up like units of a search`() {
        var (whole, parts) = (SearchResult(), SearchResult())
        let goal = SearchGoal()
        var sum = UnitReport()
        for number in 0..<5 {
            let report = Self.report(number)
            whole.add(report, of: .random, goal)
            sum.append(report)
        }
        parts.add(sum, of: .random, goal)
        #expect(parts.counts == whole.counts && parts.findings == whole.findings)
        #expect(parts.seenStates == whole.seenStates && parts.isOver == whole.isOver)
        #expect(
            parts.sample.count == whole.sample.count
                && parts.terminals.rows.map(\.count) == whole.terminals.rows.map(\.count))
    }

    /// One machine shows the first thousand states, whichever share they were in.
    @Test func `of many states the first ones are shown, with all their counts`() {
        let goal = SearchGoal()
        var (whole, parts) = (SearchResult(), SearchResult())
        var sum = UnitReport()
        for number in 0..<4 {
            var report = UnitReport()
            for state in 0..<900 {
                let word = MemoryWord(object: ObjectIdentity(maker: 0, nth: 0), value: (state + number * 450) % 1800)
                report.terminals.add(Exploration.TerminalState(.completed, [word])) { Schedule() }
            }
            whole.add(report, of: .random, goal)
            sum.append(report)
        }
        parts.add(sum, of: .random, goal)
        #expect(whole.terminals.rows.count == 1000 && whole.terminals.others > 0)
        #expect(parts.terminals.rows.map(\.state) == whole.terminals.rows.map(\.state))
        #expect(parts.terminals.rows.map(\.count) == whole.terminals.rows.map(\.count))
        #expect(parts.terminals.others == whole.terminals.others)
    }

    private static func report(_ number: Int) -> UnitReport {
        var report = UnitReport()
        report.counts.executions = 10
        report.counts.longest = number % 3
        report.seenStates = [number % 2]
        report.traces = [UInt64(number % 2), 7]
        report.terminals.add(Exploration.TerminalState(.completed, [])) { Schedule() }
        report.findings = [0, number % 2].map {
            Counterexample(.deadlock, place: $0, schedule: Schedule(), steps: 3, number: 4 + number, strategy: .random)
        }
        report.end = number == 4 ? .found : .done
        return report
    }
}
