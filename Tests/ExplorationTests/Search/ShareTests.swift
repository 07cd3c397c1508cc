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

    @Test func `a share of more units than memory has room for is a list of ranges`() {
        let units = UnitNumbers([3..<5, 7..<7, 1 << 40..<1 << 48])
        #expect([0, 1, 2, units.count - 1].map { units[$0] } == [3, 4, 1 << 40, 1 << 48 - 1])
        #expect(units[-1] == nil && units[units.count] == nil && UnitNumbers()[0] == nil)
        #expect(Agenda.randomUnitCount(limit: .max) > 1 << 53)
        #expect(Agenda(.random, limit: 1 << 48, share: units).unit(units.count - 1) == nil)
    }

    /// Files of strangers may have the greatest of each number, as often as they like.
    @Test func `the greatest counts of very many shares add up`() {
        var (counts, share) = (SearchCounts(), SearchCounts())
        for place in share.words.indices { share.words[place] = 1 << 48 }
        var tally = PartTally(partCount: 40_000)
        var table = TerminalTable()
        var report = UnitReport()
        (report.end, report.distinct) = (.exhausted, 1 << 48)
        for _ in 0..<40_000 {
            counts += share
            report = tally.settle(report).report
            table.add(Exploration.TerminalState(.completed, []), count: 1 << 48) { Schedule() }
            table.addOthers(1 << 48)
            if report.distinct == nil { (report.end, report.distinct) = (.exhausted, 1 << 48) }
        }
        #expect(counts.executions == SearchCounts.most && report.distinct == SearchCounts.most)
        #expect(table.rows[0].count == 1 << 52 && table.others == 1 << 52)
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
