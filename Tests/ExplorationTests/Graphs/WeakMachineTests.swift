import Execution
import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// What the machine does under a weaker memory model with objects other than atomics.
@Suite struct WeakMachineTests {
    /// The kinds of end of all executions; a race counts as one.
    private func kinds(_ text: String, _ model: MemoryModel, spurious: Int = 0) throws -> Set<OutcomeKind> {
        let all = EveryExecution(try TestProgram(text).bytecode, model, limit: 20_000, spurious: spurious)
        try #require(all.isComplete)
        return Set(all.ends.map(\.kind)).union(all.hasRace ? [.race] : [])
    }

    @Test func `an update that reads an older message is an update`() throws {
        let text = """
            atomic x = 0
            thread a { x.store(5, relaxed) }
            thread b { let old = x.add(1, relaxed); assert old == 0 || old == 5 }
            """
        #expect(try kinds(text, .rc11) == [.completed])
    }

    static let messages = [
        ("semaphore s = 0", "s.signal()", "s.wait()"),
        ("mutex m\nshared sent = false", "lock m { sent = true }", "lock m { if !sent { return } }"),
        (
            "recursive mutex m\nshared sent = false", "lock m { lock m { sent = true } }",
            "lock m { if !sent { return } }"
        ),
        ("rwlock l\nshared sent = false", "writing l { sent = true }", "reading l { if !sent { return } }"),
        (
            "writersFirst rwlock l\nshared sent = false", "writing l { sent = true }",
            "reading l { if !sent { return } }"
        ),
        (
            "mutex m\ncondition c with m\nshared sent = false", "lock m { sent = true; c.signal() }",
            "lock m { while !sent { c.wait() } }"
        ),
    ]

    @Test(arguments: messages, [MemoryModel.tso, .rc11])
    func `what a thread did before it passed an object on is seen by the thread that acquires it`(
        _ message: (objects: String, send: String, receive: String), _ model: MemoryModel
    ) throws {
        let text = """
            atomic x = 0
            shared data = 0
            \(message.objects)
            thread a { x.store(1, relaxed); data = 1; \(message.send) }
            thread b { \(message.receive); assert x.load(relaxed) == 1 && data == 1 }
            """
        #expect(try kinds(text, model) == [.completed])
    }

    /// The second access depends on stores that come after the first one in its thread, and is not ordered by them.
    @Test(arguments: [MemoryModel.tso, .rc11], ["relaxed", "acquire"])
    func
        `a race is found by graphs where the later access reads what the other thread has stored after the earlier one`(
            _ model: MemoryModel, _ order: String
        ) throws
    {
        let updates = ["y.compareExchange(2, 3, relaxed, relaxed)", "y.compareExchange(1, 2, relaxed, relaxed)"]
        for (first, second) in [(0, 1), (1, 0)] {
            let text = """
                atomic y = 0
                shared x = 0
                thread a { x = 1; y.store(0, release); y.store(1, relaxed) }
                thread b { \(updates[first]) }
                thread c { \(updates[second]) }
                thread d { if y.load(\(order)) > 2 { x = 2 } }
                """
            let bytecode = try TestProgram(text).bytecode
            let graphs = EveryGraph(bytecode, model)
            #expect(graphs.isComplete && graphs.hasRace)
        }
    }

    @Test func `a reader passes nothing on to another reader`() throws {
        let text = """
            atomic x = 0
            shared data = 0
            rwlock l
            thread a { reading l { data = 1 } }
            thread b { reading l { data = 2 } }
            """
        #expect(try kinds(text, .rc11).contains(.race))
        let writer = text.replacing("reading l { data = 2 }", with: "writing l { data = 2 }")
        #expect(try kinds(writer, .rc11) == [.completed])
    }

    @Test func `a signal orders nothing`() throws {
        let text = """
            atomic x = 0
            mutex m
            condition c with m
            thread a { x.store(1, relaxed); c.signal() }
            thread b { lock m { c.wait() }; assert x.load(relaxed) == 1 }
            """
        #expect(try kinds(text, .rc11) == [.completed, .deadlock, .assertion])
        // Under tso each object is as a locked instruction makes it.
        #expect(try kinds(text, .tso) == [.completed, .deadlock])
    }

    @Test func `under tso a step on an object drains the buffer`() throws {
        let text = """
            atomic x = 0, y = 0
            shared r0 = 0, r1 = 0
            semaphore s = 0, t = 0
            thread a { x.store(1, relaxed); s.signal(); r0 = y.load(relaxed) }
            thread b { y.store(1, relaxed); t.signal(); r1 = x.load(relaxed) }
            expect never r0 == 0 && r1 == 0
            """
        #expect(try kinds(text, .tso) == [.completed])
        #expect(try kinds(text, .rc11) == [.completed, .claim])
    }

    @Test func `under tso what has reached memory before time passes comes before all that follows`() throws {
        let text = """
            atomic x = 0, y = 0
            shared r = 0
            thread b { sleep 1ms; x.store(2, relaxed); r = y.load(relaxed) }
            thread a { x.store(1, relaxed); fence(seqcst) }
            thread c { y.store(1, relaxed) }
            expect always x == 2
            """
        #expect(try kinds(text, .tso) == [.completed])
        // A store that waits in a buffer may still wait; not if its thread has been joined.
        #expect(try kinds(text.replacing("always x == 2", with: "always r == 1"), .tso) == [.completed, .claim])
        #expect(try kinds(text.replacing("; fence(seqcst)", with: ""), .tso) == [.completed, .claim])
        let fenced = text.replacing("y.store(1, relaxed)", with: "y.store(1)")
        #expect(try kinds(fenced.replacing("always x == 2", with: "always r == 1"), .tso) == [.completed])
    }

    @Test(arguments: [MemoryModel.tso, .rc11]) func `a failed attempt orders nothing, unless it drains a buffer`(
        _ model: MemoryModel
    ) throws {
        let text = """
            atomic x = 0
            mutex m
            thread a { lock m { x.store(1, relaxed) } }
            thread b { if !m.tryLock() { assert x.load(relaxed) == 0 || true } else { m.unlock() } }
            """
        #expect(try kinds(text, model) == [.completed])
        let later = """
            atomic x = 0
            mutex m
            thread a { x.store(1, relaxed); m.lock() }
            thread b { if !m.tryLock() { assert x.load(relaxed) == 1 } }
            """
        #expect(try kinds(later, model).contains(.assertion) == (model == .rc11))
    }

    @Test(arguments: [MemoryModel.tso, .rc11]) func `a started thread has seen what its starter had`(
        _ model: MemoryModel
    ) throws {
        let text = """
            atomic x = 0, y = 0
            thread parent { x.store(1, relaxed); spawn child; join child; assert y.load(relaxed) == 1 }
            thread child { assert x.load(relaxed) == 1; y.store(1, relaxed) }
            """
        #expect(try kinds(text, model) == [.completed])
    }

    @Test func `a weak compare-exchange may fail with an older message, as often as the rules allow`() throws {
        let text = """
            atomic x = 0
            thread a { x.store(1, relaxed) }
            thread b { if x.load(relaxed) == 1 { let done = x.weakCompareExchange(1, 2, relaxed); assert done } }
            """
        #expect(try kinds(text, .rc11) == [.completed])
        #expect(try kinds(text, .rc11, spurious: 1) == [.completed, .assertion])
    }

    /// Reads the oldest message each time.
    private final class Oldest: Chooser {
        func begin() {}
        func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
            chooseByDefault(enabled, last: last)
        }
        func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? { count - 1 }
    }

    @Test func `a loop that reads an older message again and again is given up, and no livelock`() throws {
        let text = """
            atomic x = 0
            thread a { x.store(1, relaxed) }
            thread b { while x.load(relaxed) == 0 {} }
            """
        var rules = Rules(maximumSteps: 20_000)
        rules.model = .rc11
        let engine = try TestProgram(text).engine(rules)
        #expect(engine.run(Oldest()) == .stopped)
        #expect(engine.stepCount < 200)
    }

    @Test func `a loop that waits for a value that nothing writes is a livelock`() throws {
        var rules = Rules(maximumSteps: 20_000)
        rules.model = .rc11
        let text = "atomic x = 0\nthread a { x.store(1, relaxed) }\nthread b { while x.load(relaxed) != 2 {} }"
        let engine = try TestProgram(text).engine(rules)
        let verdict = engine.run(RandomWalk(seed: 1))
        #expect(verdict == .endless)
    }
}

/// The machine, whose executions are tried one by one, and the search of graphs: the same ends.
@Suite struct WeakMachineAgreementTests {
    /// Some of the oracles' programs: those with the most executions take long.
    static let names = GraphOracleTests.expected.keys.sorted().enumerated().filter { $0.offset % 5 == 0 }.map(\.element)

    @Test(arguments: names) func `the machine and the search of graphs agree`(_ name: String) throws {
        for model in [MemoryModel.tso, .rc11] {
            let bytecode = try GraphOracleTests.bytecode(name, model)
            let all = EveryExecution(bytecode, model, limit: 600)
            if all.isComplete { try compare(all, bytecode, model, name) }
        }
    }

    /// Random programs whose compare-exchanges may fail without a reason, or whose threads wait in loops.
    @Test(arguments: [(0, true), (1, false), (2, false)], [MemoryModel.tso, .rc11])
    func `they agree on random programs`(_ kind: (spurious: Int, hasLoops: Bool), _ model: MemoryModel) throws {
        var compared = 0
        for seed in UInt64(0)..<24 {
            let text =
                WeakProgram(
                    seed: seed, hasWeakUpdates: kind.spurious > 0, hasLoops: kind.hasLoops, isSmall: true
                ).text
            let bytecode = try TestProgram(text).bytecode
            let all = EveryExecution(bytecode, model, limit: 1500, spurious: kind.spurious)
            guard all.isComplete else { continue }
            compared += 1
            let graphs = EveryGraph(bytecode, model, spurious: kind.spurious)
            #expect(graphs.isComplete && graphs.hasRace == all.hasRace, "\(text)")
            if !all.hasRace { #expect(graphs.ends == all.ends, "\(text)") }
        }
        #expect(compared >= 5, "\(compared)")
    }

    @Test(arguments: [MemoryModel.tso, .rc11]) func `a loop that waits for a store has an end`(
        _ model: MemoryModel
    ) throws {
        let loop = "while x.load(relaxed) == 0 {}"
        let text = "atomic x = 0\nthread a { x.store(1, relaxed) }\nthread b { \(loop) }\nthread c { \(loop) }"
        let all = EveryExecution(try TestProgram(text).bytecode, model, limit: 5000)
        #expect(all.isComplete && Set(all.ends.map(\.kind)) == [.completed])
    }

    /// In the loop only an older value can be read, and what comes after it in another thread depends on its end.
    @Test(
        arguments: ["let v = d; yield", "fence(acquire); let v = d", "d = 1", "d = 1 - d"], [MemoryModel.tso, .rc11])
    func `an access in a loop races with what comes after the loop`(_ access: String, _ model: MemoryModel) throws {
        let text = """
            atomic x = 0, y = 0, z = 0
            shared d = 0
            thread a { x.store(1, relaxed); y.store(1, relaxed) }
            thread b { await y.load(relaxed) == 1; while x.load(relaxed) == 0 { \(access) }; z.store(1, relaxed) }
            thread t { if z.load(relaxed) == 1 { d = 2 } }
            """
        // Under tso the older value cannot be read there.
        let bytecode = try TestProgram(text).bytecode
        #expect(EveryGraph(bytecode, model).hasRace == (model == .rc11))
    }

    @Test(
        arguments: [
            "let v = d", "d = 1", "d = 1 - d; yield", "d = 1; d = 0", "let v = d; yield", "await x.load(relaxed) == 1",
        ], [MemoryModel.tso, .rc11])
    func `a loop that reads, writes or waits on its way, for what no thread writes, is a livelock`(
        _ body: String, _ model: MemoryModel
    ) throws {
        let text =
            "atomic x = 0\nshared d = 0\nthread a { x.store(1, relaxed) }\nthread b { while x.load(relaxed) != 2 { \(body) } }"
        let graphs = EveryGraph(try TestProgram(text).bytecode, model)
        #expect(graphs.isComplete && Set(graphs.ends.map(\.kind)) == [.livelock])
    }

    /// Each of them could continue forever, so only an execution in which all take rounds shows it.
    @Test(arguments: [MemoryModel.tso, .rc11]) func `several threads that wait so are in a livelock`(
        _ model: MemoryModel
    ) throws {
        let text = """
            atomic x = 0, y = 0
            shared r = 0
            thread a { while x.load(relaxed) < 1 { yield; fence(acquire) }; y.add(1, relaxed) }
            thread b { while !x.compareExchange(2, 3, relaxed) { if y.compareExchange(1, 3, relaxed) { break } } }
            thread c { y.store(2, relaxed); while y.load(relaxed) != 1 { await x.load(relaxed) == 0; r = 1 - r; r = 1 - r } }
            """
        for lines in [3, 4, 5] {
            let part = text.split(separator: "\n").prefix(lines).joined(separator: "\n")
            let graphs = EveryGraph(try TestProgram(part).bytecode, model)
            #expect(graphs.isComplete && Set(graphs.ends.map(\.kind)) == [.livelock], "\(part)")
        }
    }

    private func compare(_ all: EveryExecution, _ bytecode: Bytecode, _ model: MemoryModel, _ name: String) throws {
        let graphs = EveryGraph(bytecode, model)
        #expect(graphs.hasRace == all.hasRace, "race of \(name) under \(model)")
        if !all.hasRace { #expect(graphs.ends == all.ends, "ends of \(name) under \(model)") }
    }
}

/// What all graphs of a program end in.
struct EveryGraph {
    private(set) var ends: Set<Exploration.TerminalState> = []
    private(set) var hasRace = false
    private(set) var isComplete: Bool
    /// Why it could not search all.
    let obstacle: Obstacle?

    init(
        _ bytecode: Bytecode, _ model: MemoryModel, spurious: Int = 0, most: Int = .max
    ) {
        var rules = Rules(maximumSteps: 400, spuriousWakeups: spurious)
        rules.model = model
        var goal = SearchGoal()
        goal.keepsGoing = true
        goal.countsTerminals = true
        let report = GraphProver(Engine(bytecode, rules: rules), goal, rules)
            .run(most, isStopped: { false }, publish: { _ in })
        ends = Set(report.terminals.rows.map(\.state).filter { $0.kind != .race })
        hasRace = report.findings.contains { $0.kind == .race }
        isComplete = report.end == .exhausted
        obstacle = report.obstacle
    }
}
