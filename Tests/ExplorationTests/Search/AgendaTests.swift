import Exploration
import Testing

/// What is to be searched, in which order.
@Suite struct AgendaTests {
    private static let agendas: [(StrategyChoice?, Int)] =
        [(nil, 20_000), (nil, 250), (nil, 1)] + StrategyChoice.allCases.map { ($0, 7777) }

    @Test(arguments: agendas) func `every execution is in one unit, up to the limit`(
        strategy: StrategyChoice?, limit: Int
    ) throws {
        let agenda = Agenda(strategy, limit: limit)
        var total = 0
        var next: [StrategyChoice: Int] = [:]
        var index = 0
        while let unit = agenda.unit(index) {
            #expect(unit.before == total)
            #expect(unit.executions.lowerBound == next[unit.strategy, default: 0])
            #expect(!unit.executions.isEmpty)
            next[unit.strategy] = unit.executions.upperBound
            total += unit.executions.count
            index += 1
        }
        #expect(total == limit)
        if let strategy { #expect(Set(next.keys) == [strategy]) }
    }

    @Test func `without a strategy a proof is sought first, and then by every other unit`() throws {
        let agenda = Agenda(nil, limit: .max)
        let strategies = try (0..<10).map { try #require(agenda.unit($0)).strategy }
        #expect(strategies == [.dpor, .random, .dpor, .pos, .dpor, .pct, .dpor, .surw, .dpor, .random])
        #expect((0..<4).map { agenda.prover(of: $0) } == [.dpor, nil, .dpor, nil])
    }

    @Test func `a program whose states can be searched has two provers, which take turns`() throws {
        let agenda = Agenda(nil, provers: [.dpor, .states], limit: 20_000)
        let strategies = try (0..<6).map { try #require(agenda.unit($0)).strategy }
        #expect(strategies == [.dpor, .states, .random, .dpor, .states, .pos])
        #expect(agenda.hasProver(besides: [.dpor]))
        #expect(!agenda.hasProver(besides: [.dpor, .states]))
        // States are not executions, and do not use up their number.
        let units = (0..<100).compactMap { agenda.unit($0) }
        #expect(units.filter { $0.strategy != .states }.reduce(0) { $0 + $1.executions.count } == 20_000)
    }

    @Test func `a search of graphs takes turns with the random strategies`() throws {
        let agenda = Agenda(nil, provers: [.graphs], limit: .max)
        let units = try (0..<4).map { try #require(agenda.unit($0)) }
        #expect(units.map(\.strategy) == [.graphs, .random, .graphs, .pos])
        #expect(units[0].executions.upperBound == units[2].executions.lowerBound)
    }

    @Test func `the prover's first unit is small, so that what is easily found is found at once`() throws {
        let agenda = Agenda(nil, limit: .max)
        #expect(try #require(agenda.unit(0)).executions == 0..<100)
    }
}
