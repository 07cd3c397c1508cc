import Exploration
import LabExecution
import Machine
import Support
import Testing

/// A search by states with several threads against the same search with one: every figure and every finding is the same.
@Suite struct StateThreadsTests {
    /// Programs with enough states for several threads: with and without exchanged threads, time limits, endings in the
    /// middle, races, and cycles.
    private static let programs: [String] = [
        """
        mutex m
        condition changed with m
        shared used = 0
        thread producer[3] {
            repeat 5 { lock m { while used == 2 { changed.wait() }; used = used + 1; changed.broadcast() } }
        }
        thread consumer[3] {
            repeat 5 { lock m { while used == 0 { changed.wait() }; used = used - 1; changed.broadcast() } }
        }
        """,
        """
        mutex fork[5]
        atomic meals = 0
        thread philosopher[5] {
            repeat 2 { lock fork[index] { lock fork[(index + 1) % 5] { meals.add(1) } } }
        }
        """,
        """
        mutex fork[5]
        atomic meals = 0
        thread philosopher[5] {
            repeat 2 {
                if index == 4 { lock fork[0] { lock fork[4] { meals.add(1) } } }
                else { lock fork[index] { lock fork[index + 1] { meals.add(1) } } }
            }
        }
        """,
        """
        atomic turn = 0
        semaphore permits = 2
        shared last = 0
        thread player[4] {
            repeat 4 {
                permits.wait()
                turn.add(1)
                permits.signal()
            }
            last = index
        }
        thread watcher[2] { await turn.load() >= 9 + index }
        """,
        """
        mutex m
        condition c with m
        atomic a = 0
        atomic b = 0
        thread waiter[3] { repeat 2 { lock m { c.wait(for: 5ms) }; a.add(1) } }
        thread caller[2] { repeat 3 { b.add(1); lock m { c.signal() } } }
        """,
        """
        atomic a = 0
        atomic b = 0
        atomic c = 0
        thread one { while true { a.store(1); progress; a.store(0) } }
        thread two[2] { while true { b.add(1); if b.load() > 20 { b.store(0) }; progress } }
        thread three[2] { while true { if c.load() < 15 { c.add(1) } else { c.store(0) }; progress } }
        """,
        """
        atomic a = 0
        atomic b = 0
        atomic d = 0
        thread adder[4] { repeat 3 { a.add(1); b.add(a.load()); d.store(b.load()) } }
        """,
    ]

    static let settings: [StateSettings] = [(true, true), (true, false), (false, true), (false, false)].map {
        var settings = StateSettings()
        (settings.isReduced, settings.exchanges) = $0
        return settings
    }

    @Test(arguments: programs)
    func `several threads find the same states in the same order`(_ text: String) throws {
        for settings in Self.settings {
            for keepsGoing in [false, true] { try compare(text, settings, keepsGoing: keepsGoing) }
        }
    }

    @Test func `several threads find the same in random programs`() throws {
        for seed in UInt64(1)...60 {
            for settings in Self.settings {
                try compare(RandomProgram(seed: seed).lab, settings, keepsGoing: true, fewest: 1)
                try compare(EarlyEndProgram(seed: seed).text, settings, keepsGoing: true, fewest: 1)
                try compare(FeatureProgram(seed: seed).text, settings, keepsGoing: seed % 2 == 0, fewest: 1)
            }
        }
    }

    @Test(arguments: [1, 3, 10])
    func `a limit of memory ends the search at the same state`(_ mebibytes: Int) throws {
        var settings = StateSettings()
        (settings.isReduced, settings.exchanges) = (false, false)
        settings.memory = mebibytes << 20
        try compare(Self.programs[0], settings, keepsGoing: true)
    }

    /// Runs two searches in parts, as a search with several strategies does.
    private func compare(_ text: String, _ settings: StateSettings, keepsGoing: Bool, fewest: Int = 64) throws {
        var goal = SearchGoal()
        goal.harmless = []
        goal.keepsGoing = keepsGoing
        var alone = settings
        var together = settings
        alone.threads = 1
        together.threads = 3
        together.fewestTogether = fewest
        let first = StateSearch(try TestProgram(text).engine(Rules()), goal, alone)
        let second = StateSearch(try TestProgram(text).engine(Rules()), goal, together)
        for size in [1000, 20_000, 20_000, 200_000] {
            let (one, other) = (first.run(size), second.run(size))
            let comment: Comment = "reduced \(settings.isReduced), exchanged \(settings.exchanges)\n\(text)"
            #expect(one.end == other.end, comment)
            #expect(one.counts == other.counts, comment)
            #expect(one.findings == other.findings, comment)
            #expect(one.terminals.rows.map(\.state) == other.terminals.rows.map(\.state), comment)
            if one.end != .done || one.end != other.end { return }
        }
    }
}
