import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// The search of states under tso, with store buffers, against the oracles (Tests/Oracle/weak), the search of graphs, and
/// the machine whose executions are tried one by one.
@Suite struct BufferedStateTests {
    @Test(arguments: GraphOracleTests.expected.keys.sorted()) func `a program ends as the oracles say`(
        _ name: String
    ) throws {
        let expected = try #require(GraphOracleTests.expected[name]?["tso"])
        let bytecode = try GraphOracleTests.bytecode(name, .tso)
        let states = EveryState(bytecode)
        #expect(states.isComplete && states.hasRace == expected.race)
        if expected.race { return }
        #expect(states.ends.contains { $0.kind == .deadlock || $0.kind == .livelock } == expected.deadlock)
        try compare(bytecode, states, name)
    }

    /// The search of graphs ends in the same states; and a search that leaves out steps that commute with all others, in the
    /// same ways.
    private func compare(_ bytecode: Bytecode, _ states: EveryState, _ text: String, spurious: Int = 0) throws {
        let graphs = EveryGraph(bytecode, .tso, spurious: spurious)
        try #require(graphs.isComplete && states.isComplete, "\(text) \(states.obstacle.map { "\($0)" } ?? "")")
        #expect(states.hasRace == graphs.hasRace, "\(text)")
        if graphs.hasRace { return }
        #expect(Self.ends(states.ends) == Self.ends(graphs.ends), "\(text)")
        let reduced = EveryState(bytecode, spurious: spurious, countsTerminals: false)
        #expect(reduced.isComplete && !reduced.hasRace, "\(text)")
        #expect(reduced.kinds == Set(graphs.ends.map(\.kind)).subtracting([.completed]), "\(text)")
    }

    /// Where a misuse ends an execution depends on what other threads have done until then, and decides nothing.
    private static func ends(_ states: Set<Exploration.TerminalState>) -> Set<Exploration.TerminalState> {
        Set(states.map { $0.kind == .misuse ? Exploration.TerminalState(.misuse, []) : $0 })
    }

    static let blocks = 0..<12
    private static let programsInBlock = 12

    private static func seeds(_ block: Int) -> Range<UInt64> {
        UInt64(block * programsInBlock)..<UInt64((block + 1) * programsInBlock)
    }

    @Test(arguments: blocks) func `random programs with all memory orders end as their graphs`(_ block: Int) throws {
        for seed in Self.seeds(block) {
            let text = WeakProgram(seed: seed, hasWeakUpdates: seed % 2 == 0).text
            let bytecode = try TestProgram(text).bytecode
            let spurious = seed % 4 == 0 ? 1 : 0
            try compare(bytecode, EveryState(bytecode, spurious: spurious), text, spurious: spurious)
        }
    }

    @Test(arguments: ObjectProgram.Object.allCases, 0..<2) func `random programs with locks end as their graphs`(
        _ object: ObjectProgram.Object, _ block: Int
    ) throws {
        for seed in Self.seeds(block) {
            let text = ObjectProgram(seed: seed, object).text
            let bytecode = try TestProgram(text).bytecode
            try compare(bytecode, EveryState(bytecode, spurious: 1), text, spurious: 1)
        }
    }

    @Test(arguments: blocks) func `random programs that have no graphs end as they do on the machine`(
        _ block: Int
    ) throws {
        for seed in Self.seeds(block) {
            let program = BufferedProgram(seed: seed, hasClaims: seed % 3 == 0)
            let bytecode = try TestProgram(program.text).bytecode
            let all = EveryExecution(bytecode, .tso, limit: 2_000)
            guard all.isComplete else { continue }
            let states = EveryState(bytecode)
            #expect(states.isSearched && states.hasRace == all.hasRace, "\(program.text)")
            if all.hasRace { continue }
            let kinds = Set(all.ends.map(\.kind))
            if kinds.contains(.claim) {
                // Where a claim ends an execution depends on which of its states are looked at.
                #expect(states.kinds.contains(.claim), "\(program.text)")
                continue
            }
            #expect(states.ends == all.ends, "\(program.text)")
            let reduced = EveryState(bytecode, countsTerminals: false)
            #expect(reduced.isSearched && reduced.kinds == kinds.subtracting([.completed]), "\(program.text)")
        }
    }

    // MARK: - What graphs cannot take

    private func search(_ text: String, _ model: MemoryModel = .tso) throws -> (
        kinds: Set<OutcomeKind>, report: UnitReport
    ) {
        var settings = StateSettings()
        settings.rules.model = model
        var goal = SearchGoal()
        goal.keepsGoing = true
        let report = StateSearch(try TestProgram(text).engine(settings.rules), goal, settings).run(100_000)
        return (Set(report.findings.map(\.kind)), report)
    }

    @Test func `store buffering is seen by an invariant, in the states in which all stores have reached memory`() throws
    {
        let text = """
            atomic x = 0, y = 0
            thread a { x.store(1, relaxed); y.store(1, relaxed) }
            invariant x >= y
            """
        #expect(try search(text).kinds == [])
        #expect(try search(text.replacing("x >= y", with: "x <= y")).kinds == [.claim])
    }

    @Test func `if stores can reach memory in more orders at an end than are tried, nothing is proved`() throws {
        let text = """
            atomic x = 0, y = 0
            thread a { x.store(1, relaxed); x.store(2, relaxed) }
            thread b { x.store(3, relaxed); y.store(1, relaxed) }
            thread c { assert false }
            """
        let (all, few) = (try outcomes(text, most: 100), try outcomes(text, most: 3))
        #expect(all.end == .exhausted && all.obstacle == nil)
        #expect(few.end == .bounded && few.obstacle == .manyOrders && few.distinct == nil)
    }

    private func outcomes(_ text: String, most: Int) throws -> UnitReport {
        var settings = StateSettings()
        settings.rules.model = .tso
        settings.mostOrdersAtEnd = most
        var goal = SearchGoal()
        goal.keepsGoing = true
        goal.countsTerminals = true
        return StateSearch(try TestProgram(text).engine(settings.rules), goal, settings).run(100_000)
    }

    /// Peterson's lock, tried again and again.
    private static let peterson = """
        atomic wants[2] = 0, turn = 0
        shared inside = 0
        thread t[2] {
            repeat forever {
                wants[index].store(1, ORDER)
                turn.store(1 - index, ORDER)
                while wants[1 - index].load(acquire) == 1 && turn.load(acquire) == 1 - index {}
                inside += 1
                assert inside == 1
                inside -= 1
                progress
                wants[index].store(0, release)
            }
        }
        """

    @Test func `threads that loop forever exclude each other, or not`() throws {
        let text = Self.peterson.replacing("repeat forever", with: "while true")
        let broken = try search(text.replacing("ORDER", with: "release"))
        #expect(broken.kinds.contains(.race) || broken.kinds.contains(.assertion))
        let fixed = try search(text.replacing("ORDER", with: "seqcst"))
        #expect(fixed.kinds == [] && fixed.report.end == .exhausted)
    }

    @Test
    func
        `a thread that waits for what no thread stores is in a livelock, and one that waits for what is stored is not`()
        throws
    {
        let text = "atomic x = 0\nthread a { x.store(1, relaxed) }\nthread b { while x.load(relaxed) != 1 {} }"
        let found = try search(text)
        #expect(found.kinds == [] && found.report.end == .exhausted)
        #expect(try search(text.replacing("!= 1", with: "!= 2")).kinds == [.livelock])
    }

    @Test func `an attempt that fails is made again on the machine before time passes`() throws {
        let text = """
            atomic y = 0
            semaphore s = 0
            thread a { await y.load(relaxed) != 2 }
            thread b { s.wait(for: 2ms) }
            thread c { y.store(2, relaxed) }
            """
        let found = try search(text)
        #expect(found.kinds == [.deadlock] && found.report.obstacle == .timeBesideStores)
    }

    /// Each needs an order in which time passes before a store reaches memory.
    @Test(arguments: [
        """
        atomic x = 0
        shared r = 0
        thread o { sleep 1ms; r = x.load(relaxed) }
        thread t { x.store(1, relaxed) }
        thread c { yield }
        expect never r == 0
        """,
        """
        atomic x = 0, y = 0
        thread a { while y.load(relaxed) == 0 {} }
        thread b { x.store(1, relaxed); sleep 1ms; y.store(1, relaxed) }
        """,
        """
        atomic x = 0
        thread a { while true { x.store(1, relaxed); sleep 2ms; x.store(0, seqcst); sleep 2ms; progress } }
        thread b { sleep 1ms; while true { if x.load(relaxed) == 1 { progress }; sleep 4ms } }
        """,
        """
        atomic x = 0, y = 0
        thread a { y.store(1, relaxed); sleep 2ms }
        thread b { sleep 1ms; x.store(1, seqcst) }
        invariant x <= y
        """,
    ]) func `where threads wait for time, nothing is proved`(_ text: String) throws {
        let found = try search(text)
        #expect(found.report.end == .bounded && found.report.obstacle == .timeBesideStores)
        #expect(found.report.distinct == nil)
    }

    @Test(arguments: [
        """
        semaphore s = 0
        atomic g = 0
        shared r = 1
        thread o { s.wait() }
        thread d { g.store(1) }
        thread w { join t[1]; r = g.load(); join t[0]; s.signal() }
        thread t[2] { yield }
        expect never r == 0
        """
    ]) func `a join of one of two threads that are alike is a join of that one`(_ text: String) throws {
        #expect(try search(text, .sc).kinds == [.claim])
        #expect(try search(text).kinds == [.claim])
    }

    @Test func `a buffer has no room for the stores of a loop that nothing drains, and nothing is proved`() throws {
        let found = try search("atomic x = 0\nthread a { while true { x.store(1, relaxed) } }")
        #expect(found.report.end == .bounded && found.report.obstacle == .fullBuffer)
        #expect(found.report.distinct == nil)
        let drained = try search(
            "atomic x = 0\nthread a { while true { x.store(1, relaxed); progress; fence(seqcst) } }")
        #expect(drained.report.end == .exhausted && drained.kinds == [])
    }

    @Test func `a schedule of the search shows the same on the machine`() throws {
        let text = """
            atomic x = 0, y = 0
            mutex m
            condition c with m
            shared r0 = 0, r1 = 0
            thread a { x.store(1, relaxed); r0 = y.load(relaxed); lock m { c.signal() } }
            thread b { y.store(1, relaxed); r1 = x.load(relaxed); lock m { if !c.wait(for: 1ms) { y.store(2, release) } } }
            expect never r0 == 0 && r1 == 0
            """
        let found = try search(text)
        #expect(found.kinds == [.claim])
        var rules = Rules()
        rules.model = .tso
        let engine = try TestProgram(text).engine(rules)
        let finding = try #require(found.report.findings.first)
        #expect(engine.run(Replay(finding.schedule)) == .claim)
        #expect(try search(text, .sc).kinds == [])
    }
}
