import Exploration
import Machine
import Primitives
import Testing
import Trace

@testable import Supervision

/// Searches by states in orders of their own, joined: a proof is that of the whole search, and a finding that of the first one.
@Suite struct JoinedSwarmTests {
    private static var plan: SearchPlan {
        var plan = SearchSupervisorTests.plan(Program(.may(.assertion)) {})
        plan.strategy = .states
        return plan
    }

    private static func report(_ end: UnitReport.End, states: Int, _ kind: OutcomeKind? = nil) -> UnitReport {
        var report = UnitReport()
        report.end = end
        report.counts.states = states
        report.counts.memory = 1
        if end == .exhausted { report.distinct = states }
        if let kind {
            report.findings = [
                Counterexample(kind, place: states, schedule: Schedule(), steps: 1, number: 1, strategy: .states)
            ]
        }
        return report
    }

    private static func join(_ reports: [UnitReport?]) throws(JoinedSearch.Flaw) -> SearchResult {
        let pieces = reports.enumerated().map { number, report in
            (SearchPiece.part(PlacedPart(place: [number], .member(.init(number, of: reports.count)))), report)
        }
        return try JoinedSearch.result(plan, before: UnitReport(), pieces)
    }

    @Test func `the whole search proves for all`() throws {
        let result = try Self.join([Self.report(.exhausted, states: 7), Self.report(.bounded, states: 5), nil])
        #expect(result.isProof && result.total == 7 && result.counts.states == 7 && result.prover == .states)
    }

    @Test func `without it nothing is proved, and what was visited is said`() throws {
        var ended = Self.report(.bounded, states: 9)
        let result = try Self.join([Self.report(.bounded, states: 7), ended, Self.report(.bounded, states: 5)])
        #expect(result.gaps.map(\.kind) == [.swarm, .unfinished] && result.counts.states == 21)
        #expect(result.swarm?.searches == 3 && result.swarm?.mostStates == 9)
        // One that has come to its end by hashes has visited all that it found.
        ended.distinct = 9
        let hashed = try Self.join([Self.report(.bounded, states: 7), ended, Self.report(.bounded, states: 5)])
        #expect(hashed.gaps.map(\.kind) == [.hashes, .unfinished] && hashed.visited == 9)
    }

    @Test func `the first finding in the order of the searches is the result`() throws {
        let found = [Self.report(.bounded, states: 7), Self.report(.found, states: 5, .deadlock)]
        let result = try Self.join(found + [Self.report(.found, states: 3, .assertion), nil])
        #expect(result.findings.map(\.kind) == [.deadlock] && result.counts.states == 12 && !result.isProof)
        #expect(throws: JoinedSearch.Flaw.notSearched(0)) { try Self.join([nil] + found) }
    }

    @Test func `a finding that the whole search excludes is a mistake of threadlab`() {
        #expect(throws: JoinedSearch.Flaw.contradiction(1, .deadlock)) {
            try Self.join([Self.report(.exhausted, states: 7), Self.report(.found, states: 5, .deadlock)])
        }
    }

    @Test func `of every subset only the whole one has a result`() {
        let all = (0..<4).map { number in
            (
                SearchPiece.part(PlacedPart(place: [number], .member(.init(number, of: 4)))),
                Optional(Self.report(.bounded, states: number + 1))
            )
        }
        for bits in 1..<16 {
            let some = all.indices.filter { bits & 1 << $0 != 0 }.map { all[$0] }
            #expect((try? JoinedSearch.result(Self.plan, before: UnitReport(), some)) == nil || bits == 15)
            let doubled = some + [some[0]]
            #expect((try? JoinedSearch.result(Self.plan, before: UnitReport(), doubled)) == nil)
        }
    }
}
