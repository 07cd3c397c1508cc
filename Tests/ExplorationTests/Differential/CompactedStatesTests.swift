import Exploration
import LabExecution
import Machine
import Support
import Testing

/// A search that compares states by hash against the same search that compares the states.
@Suite struct CompactedStatesTests {
    /// Many orders, several endings, threads that can be exchanged, and races.
    private static let programs = [
        """
        mutex a, b
        shared used = 0
        thread one[2] { lock a { lock b { used = used + 1 } } }
        thread two[2] { lock b { lock a { used = used + 1 } } }
        """,
        """
        atomic a = 0
        shared last = 0
        thread adder[3] { a.add(1); if a.load() == 2 { last = 1 }; assert a.load() != 3 }
        """,
    ]

    @Test(arguments: programs)
    func `it finds the same endings, with schedules that lead to them`(_ text: String) throws { try compare(text) }

    @Test func `it finds the same in random programs`() throws {
        for seed in UInt64(1)...60 {
            try compare(RandomProgram(seed: seed).lab)
            try compare(EarlyEndProgram(seed: seed).text)
            try compare(FeatureProgram(seed: seed).text)
        }
    }

    private func compare(_ text: String) throws {
        for settings in StateAgreementTests.settings where !settings.isDepthFirst {
            var compacted = settings
            compacted.isCompacted = true
            var goal = SearchGoal()
            goal.harmless = []
            goal.keepsGoing = true
            goal.countsTerminals = !settings.isReduced
            let exact = StateSearch(try TestProgram(text).engine(Rules()), goal, settings).run(1_000_000)
            let other = StateSearch(try TestProgram(text).engine(Rules()), goal, compacted).run(1_000_000)
            #expect(exact.end == .exhausted && other.end == .bounded, "\(text)")
            #expect(exact.distinct == other.distinct, "\(text)")
            // Cycles are found only with a graph.
            let endings = exact.findings.filter { $0.kind != .livelock && $0.kind != .starvation }
            #expect(other.findings.filter { $0.kind != .livelock } == endings, "\(text)")
            #expect(exact.terminals.rows.map(\.state) == other.terminals.rows.map(\.state), "\(text)")
        }
    }
}
