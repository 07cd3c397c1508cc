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
            let all = EveryExecution(bytecode, .tso, limit: 300)
            let kinds = Set(all.ends.map(\.kind)).subtracting([.completed])
            #expect(kinds.isSubset(of: expected), "\(seed) \(program.text)")
            if all.isComplete { #expect(kinds == expected, "\(seed) \(program.text)") }
        }
    }

    /// How executions end that do not complete, if all were tried.
    private func failures(_ text: String) throws -> Set<OutcomeKind> {
        let all = EveryExecution(try TestProgram(text).bytecode, .tso, limit: 20_000)
        try #require(all.isComplete)
        return Set(all.ends.map(\.kind)).subtracting([.completed])
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
        let failures = try failures("atomic x = 0, y = 0\n\(program.threads)\nexpect eventually \(claim)")
        #expect(failures == (program.isBroken ? [.claim] : []), "\(program.name)")
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
        #expect(try failures(text) == [.claim])
    }

    @Test func `a plain cell reaches memory behind the stores before it`() throws {
        let text = """
            atomic x = 0, y = 0
            shared done = 0
            thread a { x.store(1, relaxed); y.load(relaxed); done = 1 }
            thread b { y.store(1, relaxed) }
            expect eventually done == 1 && x == 1
            """
        #expect(try failures(text) == [])
    }

    @Test func `the write of a plain cell can wait, too, while its thread continues`() throws {
        let text = """
            shared c = 0
            atomic y = 0, r = 0
            thread a { c = 1; STEP if y.load(relaxed) == 1 { r.store(1) } }
            thread b { y.store(1) }
            expect eventually c == 1 && y == 0 || r == 1
            """
        #expect(try failures(text.replacing("STEP", with: "")) == [.claim])
        #expect(try failures(text.replacing("STEP", with: "fence(seqcst);")) == [])
        let atomic = text.replacing("shared c = 0", with: "atomic c = 0").replacing(
            "c = 1;", with: "c.store(1, relaxed);")
        #expect(try failures(atomic.replacing("STEP", with: "")) == [.claim])
    }
}
