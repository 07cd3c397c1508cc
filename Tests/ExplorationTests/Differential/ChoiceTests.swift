import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// Steps with alternatives: what may come before an earlier step has those of the execution that showed it.
@Suite struct ChoiceTests {
    @Test func `a choice is tried each way in each order of the steps before it`() throws {
        let text = """
            atomic b = 0
            atomic x = 1
            mutex m
            thread t0[2] { x.store(index) }
            thread t1 { b.store(0); b.store(choose(2)) }
            finally { assert x.load() == 0; if b.load() == 1 { m.unlock() } }
            """
        let search = PartialOrderSearch(rules: Rules())
        let engine = try TestProgram(text).engine()
        var ends: [Verdict] = []
        while search.prepare(ends.count) { ends.append(search.execute(engine)) }
        #expect(ends.count { $0 == .assertion } == 2)
        #expect(ends.count { $0 == .misuse } == 1)
        #expect(ends.count { $0 == .completed } == 1)
    }

    @Test func `partial orders find in random programs with choices what all states show`() throws {
        var settings = StateSettings()
        (settings.isReduced, settings.exchanges) = (false, false)
        var failing = 0
        for seed in UInt64(1)...400 {
            let text = Self.text(seed)
            let engine = try TestProgram(text).engine()
            let all = try #require(KindsOfEnd(engine, settings))
            let found = try #require(KindsOfEnd(engine, .dpor, limit: 50_000))
            if all.findings.contains(where: { $0.kind != .completed }) { failing += 1 }
            #expect(found.findings == all.findings, "seed \(seed)\n\(text)")
            #expect(Self.completed(found) == Self.completed(all), "seed \(seed)\n\(text)")
        }
        #expect(failing > 100)
    }

    private static func completed(_ kinds: KindsOfEnd) -> Set<Exploration.TerminalState> {
        kinds.terminals.filter { $0.kind == .completed }
    }

    /// Two or three threads with a few steps each, some of which choose, and an end that fails for some choices.
    private static func text(_ seed: UInt64) -> String {
        var random = SplitMix64(seed: seed)
        func step() -> String {
            let object = ["a", "b", "c"][random.next(below: 3)]
            return switch random.next(below: 6) {
            case 0, 1: "\(object).store(choose(2))"
            case 2: "\(object).store(\(random.next(below: 3)))"
            case 3: "\(object).add(1)"
            case 4: "lock m { \(object).store(choose(2)) }"
            default: "assert \(object).load() != 2"
            }
        }
        func steps(_ most: Int) -> String {
            (0...random.next(below: most)).map { _ in step() }.joined(separator: "; ")
        }
        var text = "atomic a = 0, b = 0, c = 1\nmutex m\n"
        for thread in 0...1 + random.next(below: 2) { text += "thread t\(thread) { \(steps(2)) }\n" }
        text += "finally { assert a.load() == 0 || b.load() == c.load(); if c.load() == 0 { m.unlock() } }\n"
        return text
    }
}
