import Execution
import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// Locks and semaphores in the search of graphs: the machine, whose executions are tried one by one, is the oracle.
@Suite struct ObjectGraphTests {
    /// Where a misuse ends an execution depends on what other threads have done until then, and decides nothing.
    private func ends(_ states: Set<Exploration.TerminalState>) -> Set<Exploration.TerminalState> {
        Set(states.map { $0.kind == .misuse ? Exploration.TerminalState(.misuse, []) : $0 })
    }

    @Test(arguments: ObjectProgram.Object.allCases, UInt64(0)..<4)
    func `random programs end as they do on the machine`(_ object: ObjectProgram.Object, _ seed: UInt64) throws {
        let text = ObjectProgram(seed: seed, object).text
        let bytecode = try TestProgram(text).bytecode
        for model in [MemoryModel.tso, .rc11] {
            let all = EveryExecution(bytecode, model, limit: 500, spurious: 1)
            guard all.isComplete else { continue }
            let graphs = EveryGraph(bytecode, model, spurious: 1)
            #expect(graphs.isComplete && graphs.hasRace == all.hasRace, "\(model)\n\(text)")
            if !all.hasRace { #expect(ends(graphs.ends) == ends(all.ends), "\(model)\n\(text)") }
        }
    }

    private func kinds(_ text: String, _ model: MemoryModel = .rc11) throws -> Set<OutcomeKind> {
        let graphs = EveryGraph(try TestProgram(text).bytecode, model)
        #expect(graphs.isComplete)
        return Set(graphs.ends.map(\.kind)).union(graphs.hasRace ? [.race] : [])
    }

    @Test func `a mutex is unlocked by the thread that holds it, or that is a misuse`() throws {
        #expect(try kinds("mutex m\nthread a { m.unlock() }") == [.misuse])
        #expect(try kinds("mutex m\nthread a { lock m {}; m.unlock() }") == [.misuse])
        #expect(try kinds("mutex m\nthread a { lock m {}; lock m {} }") == [.completed])
    }

    @Test func `a thread is joined once, or that is a misuse`() throws {
        #expect(try kinds("thread a {}\nthread b { join a }\nthread c { join a }") == [.misuse])
        #expect(try kinds("thread a {}\nthread b { join a }") == [.completed])
    }

    @Test(arguments: [MemoryModel.tso, .rc11]) func `a started thread has seen what its starter had`(
        _ model: MemoryModel
    ) throws {
        let text = """
            atomic x = 0, y = 0
            shared d = 0
            thread child { assert x.load(relaxed) == 1 && d == 1; d = 2; y.store(1, relaxed) }
            thread parent { d = 1; x.store(1, relaxed); spawn child; join child; assert y.load(relaxed) == 1 && d == 2 }
            thread other { x.store(1, relaxed) }
            """
        #expect(try kinds(text, model) == [.completed])
        let race = text.replacing("join child; assert", with: "let seen = d; join child; assert")
        #expect(try kinds(race, model).contains(.race))
        #expect(try kinds(text.replacing("join child;", with: "join child; join child;"), model).contains(.misuse))
    }

    @Test(arguments: ["", "d = 1"])
    func `what comes before a join is before what follows it, if both are sequentially consistent`(
        _ last: String
    ) throws {
        let text = """
            atomic x = 0, y = 0, z = 0
            shared d = 0, r = 0
            thread boss {
                z.store(1, relaxed); spawn other; spawn one; join one
                let seen = y.load(seqcst)
                join other
                assert !(seen == 0 && r == 0)
            }
            thread one { x.store(1, seqcst); \(last) }
            thread other { y.store(1, seqcst); r = x.load(seqcst) }
            """
        #expect(try kinds(text) == [.completed])
        // Fences in place of one of the two.
        let fence = text.replacing("let seen = y.load(seqcst)", with: "fence(seqcst); let seen = y.load(relaxed)")
        #expect(try kinds(fence) == [.completed])
        let weaker = text.replacing("r = x.load(seqcst)", with: "r = x.load(relaxed)")
        #expect(try kinds(weaker).contains(.assertion))
    }

    @Test(arguments: [
        "if m.tryLock() { m.unlock() } else { failed = 1; fence(seqcst); r = x.load(relaxed) }",
        "m.lock(); m.unlock(); fence(seqcst); r = x.load(relaxed)",
    ])
    func `a lock is in no order with fences but by what it orders itself`(_ right: String) throws {
        let text = """
            atomic x = 0
            mutex m
            shared failed = 0, r = 1
            thread left { x.store(1, relaxed); fence(seqcst); m.lock(); m.unlock() }
            thread right { \(right) }
            """
        let bytecode = try TestProgram(text).bytecode
        let (all, graphs) = (EveryExecution(bytecode, .rc11, limit: 10_000), EveryGraph(bytecode, .rc11))
        #expect(all.isComplete && graphs.isComplete && !all.hasRace)
        #expect(graphs.ends == all.ends)
        #expect(all.ends.count > 1)
    }

    @Test func `a thread that one thread starts and another joins is not searched by graphs`() throws {
        let text = "atomic x = 0\nthread a { spawn c }\nthread b { join c }\nthread c { x.store(1) }"
        var rules = Rules()
        rules.model = .rc11
        let report = GraphProver(try TestProgram(text).engine(rules), SearchGoal(), rules)
            .run(.max, isStopped: { false }, publish: { _ in })
        #expect(report.end == .bounded && report.obstacle == .sharedThread)
    }

    @Test func `a loop that tries to lock a mutex that no thread unlocks never ends`() throws {
        let text = "mutex m\natomic x = 0\nthread a { m.lock(); x.store(1) }\nthread b { while !m.tryLock() {} }"
        #expect(try kinds(text).contains(.livelock))
    }

    @Test(arguments: [MemoryModel.tso, .rc11], ["fence(seqcst)", "fence(acquire)", "yield"])
    func `a loop that orders or yields, and writes nothing, is searched as one that only reads`(
        _ model: MemoryModel, _ word: String
    ) throws {
        let text = "atomic x = 0\nthread a { x.store(1, relaxed) }\nthread b { while x.load(relaxed) != 1 { \(word) } }"
        #expect(try kinds(text, model) == [.completed])
        #expect(try kinds(text.replacing("!= 1", with: "!= 2"), model) == [.livelock])
    }

    /// Each attempt drains a buffer, so the machine, which takes them one after the other, has to take them in the right order.
    @Test func `attempts that fail are repeated on the machine in the order that the reads around them demand`() throws
    {
        let text = """
            mutex m
            atomic x = 0
            shared r0 = 0, r1 = 0
            thread holder { m.lock() }
            thread a { x.store(1, relaxed); if !m.tryLock() { r0 = 1 } }
            thread b { if !m.tryLock() { r1 = 10 + x.load(relaxed) } }
            expect never r0 == 1 && r1 == 10
            """
        #expect(try kinds(text, .tso) == [.completed, .claim, .deadlock])
    }

    @Test func `readers can hold a lock together`() throws {
        let text = """
            atomic x = 0, y = 0
            rwlock l
            thread a { reading l { x.store(1); await y.load() == 1 } }
            thread b { reading l { y.store(1); await x.load() == 1 } }
            """
        #expect(try kinds(text) == [.completed])
        #expect(try kinds(text.replacing("b { reading", with: "b { writing")) == [.deadlock])
    }
}
