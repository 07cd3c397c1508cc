import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// `expect eventually` under tso is about what memory holds on the way.
@Suite struct OnTheWayTests {
    static let blocks = 0..<8
    private static let programsInBlock: UInt64 = 12

    @Test(arguments: blocks) func `a claim about the way is broken as on a machine with store buffers`(
        _ block: Int
    ) throws {
        let first = UInt64(block) * Self.programsInBlock
        for seed in first..<first + Self.programsInBlock {
            let program = OnTheWayProgram(seed: seed)
            let bytecode = try TestProgram(program.text).bytecode
            let expected: Set<OutcomeKind> = program.isBroken ? [.claim] : []
            let states = EveryState(bytecode, countsTerminals: false)
            #expect(states.isComplete, "\(program.text) \(states.obstacle.map { "\($0)" } ?? "")")
            #expect(states.kinds == expected, "states: \(seed) \(program.text)")
            let all = EveryExecution(bytecode, .tso, limit: 300)
            let kinds = Set(all.ends.map(\.kind)).subtracting([.completed])
            #expect(kinds.isSubset(of: expected), "executions: \(seed) \(program.text)")
            if all.isComplete { #expect(kinds == expected, "executions: \(seed) \(program.text)") }
        }
    }

    private func search(_ text: String) throws -> EveryState {
        EveryState(try TestProgram(text).bytecode, countsTerminals: false)
    }

    @Test(arguments: [
        (
            "what a later store of the thread replaces was in memory",
            "thread a { x.store(1, relaxed); x.store(0, relaxed) }", false
        ),
        (
            "so was what a store replaces that has waited for a fence",
            "thread a { x.store(1, relaxed); x.store(0); fence(seqcst) }", false
        ),
        (
            "so was what another thread replaces", "thread a { x.store(1, relaxed) }\nthread b { x.store(2, relaxed) }",
            false
        ),
        (
            "an order of two threads' stores need not be",
            "thread a { x.store(1, relaxed) }\nthread b { y.store(1, relaxed) }", true
        ),
    ]) func `memory on the way`(_ program: (name: String, threads: String, isBroken: Bool)) throws {
        let claim = program.isBroken ? "x == 1 && y == 0" : "x == 1"
        let states = try search("atomic x = 0, y = 0\n\(program.threads)\nexpect eventually \(claim)")
        #expect(states.isComplete && states.kinds == (program.isBroken ? [.claim] : []), "\(program.name)")
    }

    @Test func `a load behind a waiting store has happened before another thread's store`() throws {
        let text = """
            atomic x = 0, y = 0, z = 0
            thread a { x.load(relaxed); x.add(1, relaxed) }
            thread b {
                y.store(2, relaxed)
                let first = x.load(relaxed)
                let second = x.load(relaxed)
                if first == 0 && second == 1 { z.store(1, relaxed) }
            }
            expect eventually y == 1 || z == 0 && x == 7
            """
        let states = try search(text)
        #expect(states.isComplete && states.kinds == [.claim])
    }

    @Test func `a schedule shows that memory never held it`() throws {
        let text = """
            atomic x = 0, y = 0
            thread a { x.store(1, relaxed); y.load(relaxed) }
            thread b { y.store(1, relaxed); x.load(relaxed) }
            expect eventually x == 1 && y == 0
            """
        var rules = Rules()
        rules.model = .tso
        var settings = StateSettings()
        settings.rules = rules
        var goal = SearchGoal()
        goal.keepsGoing = true
        let report = StateSearch(try TestProgram(text).engine(rules), goal, settings).run(100_000)
        let finding = try #require(report.findings.first)
        #expect(report.findings.map(\.kind) == [.claim])
        #expect(try TestProgram(text).engine(rules).run(Replay(finding.schedule)) == .claim)
    }

    @Test func `threads that loop forever without it are in a livelock, and with it they are not`() throws {
        let text = """
            atomic x = 0, y = 0
            thread a { while true { x.store(1, relaxed); x.store(0, relaxed); fence(seqcst); progress } }
            thread b { while true { y.store(1, relaxed); y.store(0, relaxed); fence(seqcst); progress } }
            expect eventually x == 1
            """
        let found = try search(text)
        #expect(found.isComplete && found.kinds == [])
        let both = try search(text.replacing("x == 1", with: "x == 1 && y == 1"))
        #expect(both.kinds == [.livelock] && both.obstacle == nil)
    }

    @Test func `what depends on a plain cell that is written while stores wait is not proved, and the reason says so`()
        throws
    {
        let text = """
            atomic x = 0, y = 0
            shared done = 0
            thread a { x.store(1, relaxed); STEP; done = 1 }
            thread b { y.store(1, relaxed) }
            expect eventually done == 1 && x == 1
            """
        let found = try search(text.replacing("STEP", with: "y.load(relaxed)"))
        #expect(found.obstacle == .cellBesideStores && !found.isComplete)
        #expect("\(Obstacle.cellBesideStores)".contains("make the cell atomic"))
        let fenced = try search(text.replacing("STEP", with: "fence(seqcst)"))
        #expect(fenced.isComplete && fenced.kinds == [])
    }

    @Test func `a plain cell whose write can wait while its thread continues is not proved`() throws {
        let text = """
            shared c = 0
            atomic y = 0, r = 0
            thread a { c = 1; STEP if y.load(relaxed) == 1 { r.store(1) } }
            thread b { y.store(1) }
            expect eventually c == 1 && y == 0 || r == 1
            """
        #expect(try search(text.replacing("STEP", with: "")).obstacle == .cellBesideStores)
        let fenced = try search(text.replacing("STEP", with: "fence(seqcst);"))
        #expect(fenced.obstacle == nil)
        let atomic = text.replacing("shared c = 0", with: "atomic c = 0").replacing(
            "c = 1;", with: "c.store(1, relaxed);")
        #expect(try search(atomic.replacing("STEP", with: "")).kinds == [.claim])
    }
}
