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

    /// What a whole search finds, each search in an order of its own finds too, if it comes to its end.
    @Test func `in any order it finds the same endings, with schedules that lead to them`() throws {
        for text in Self.programs { try compareOrders(text) }
        for seed in UInt64(1)...30 {
            try compareOrders(RandomProgram(seed: seed).lab)
            try compareOrders(EarlyEndProgram(seed: seed).text)
            try compareOrders(FeatureProgram(seed: seed).text)
        }
    }

    private func compareOrders(_ text: String) throws {
        for settings in StateAgreementTests.settings {
            var goal = SearchGoal()
            goal.harmless = []
            goal.keepsGoing = true
            goal.countsTerminals = !settings.isReduced
            let engine = try TestProgram(text).engine(Rules())
            let exact = StateSearch(engine, goal, settings).run(1_000_000)
            let endings = exact.findings.map(\.identity).filter { $0.kind != .livelock && $0.kind != .starvation }
            for number in 1...3 {
                var ordered = settings
                ordered.go(inOrder: .init(number, of: 4), 7)
                let other = StateSearch(engine, goal, ordered).run(1_000_000)
                #expect(exact.end == .exhausted && other.end == .bounded, "\(text)")
                // Of threads that are exchanged, the first one that is found decides which are left out.
                if !settings.exchanges && !settings.isReduced { #expect(exact.distinct == other.distinct, "\(text)") }
                let found = other.findings.filter { $0.kind != .livelock }
                #expect(Set(found.map(\.identity)) == Set(endings), "\(text)")
                #expect(
                    Set(exact.terminals.rows.map(\.state)) == Set(other.terminals.rows.map(\.state)), "\(text)")
                for finding in found {
                    let verdict = engine.execute(Replay(finding.schedule))
                    #expect(verdict.outcome == finding.kind || finding.kind == .race && verdict.isGood, "\(text)")
                }
            }
        }
    }

    @Test func `two orders visit the states in different orders, and each does so again`() throws {
        let engine = try TestProgram(Self.programs[0]).engine(Rules())
        var goal = SearchGoal()
        goal.harmless = [.completed]
        let schedules = [1, 2, 3, 4, 5, 1].map { number in
            var settings = StateSettings()
            settings.go(inOrder: .init(number, of: 9), 1)
            return StateSearch(engine, goal, settings).run(1_000_000).findings.map { "\($0.schedule)" }
        }
        #expect(schedules[0] == schedules[5] && Set(schedules).count > 1)
    }

    @Test func `with less memory than the states need, a search in any order ends there`() throws {
        let engine = try TestProgram(
            "shared x = 0\nmutex m\nthread t[3] { repeat 40 { lock m { x = x + 1 } } }"
        ).engine(Rules())
        var settings = StateSettings()
        (settings.isReduced, settings.exchanges, settings.memory) = (false, false, 1 << 20)
        let exact = StateSearch(engine, SearchGoal(), settings).run(10_000_000)
        settings.go(inOrder: .init(1, of: 2), 1)
        let ordered = StateSearch(engine, SearchGoal(), settings).run(10_000_000)
        #expect(exact.end == .bounded && ordered.end == .bounded && ordered.distinct == nil)
        // Without rows, more states have room.
        #expect(ordered.counts.states > exact.counts.states)
        #expect(ordered.counts.memory < 2 << 20)
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
