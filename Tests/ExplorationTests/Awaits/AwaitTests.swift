import Exploration
import LabExecution
import Machine
import Testing

/// The search by partial orders takes an `await` as one event, however often its condition is false before it holds.
@Suite struct AwaitTests {
    static let chunks: [ClosedRange<UInt64>] = stride(from: 1, through: 200, by: 25).map { $0...$0 + 24 }

    @Test(arguments: chunks, SelfConsistencyTests.rules)
    func `programs that wait for values end as all their interleavings do, and no search runs more of them`(
        _ seeds: ClosedRange<UInt64>, _ rules: Rules
    ) throws {
        for seed in seeds {
            let program = AwaitProgram(seed: seed)
            let engine = try TestProgram(program.text).engine(rules)
            guard let expected = Endings(engine, BoundedSearch(.none), limit: 1000) else { continue }
            let search = PartialOrderSearch(rules: rules)
            let found = try #require(Endings(engine, search, limit: 20_000))
            let comment: Comment = "seed \(seed), \(rules)\n\(program.text)"
            #expect(search.obstacle == nil, comment)
            #expect(found == expected, comment)
            #expect(search.completeCount <= expected.executions, comment)
        }
    }

    @Test(arguments: chunks)
    func `a search by partial orders finds what the one by interleavings finds, races included`(
        _ seeds: ClosedRange<UInt64>
    ) throws {
        for seed in seeds {
            let program = AwaitProgram(seed: seed)
            let engine = try TestProgram(program.text).engine()
            guard let expected = KindsOfEnd(engine, .dfs, limit: 1000) else { continue }
            let comment: Comment = "seed \(seed)\n\(program.text)"
            #expect(KindsOfEnd(engine, .dpor, limit: 20_000) == expected, comment)
        }
    }

    static let counted: [(program: String, traces: Int)] = [
        // The orders in which the tickets are drawn.
        (ticketLock(threads: 2), 2), (ticketLock(threads: 3), 6), (ticketLock(threads: 4), 24),
        // After the third addition only. The additions are equal, but of different threads.
        ("atomic x = 0\nthread t[3] { x.add(1) }\nthread u { await x.load() == 3 }", 6),
        // After one of three additions: before the next, or it never ends.
        ("atomic x = 0\nthread t[3] { x.add(1) }\nthread u { await x.load() == 1 }", 12),
        ("atomic x = 0\nthread t[3] { x.add(1) }\nthread u { await x.load() >= 1 }", 18),
        ("atomic x = 0\nthread t { x.store(1); x.store(2); x.store(3) }\nthread u { await 2 == x.load() }", 2),
        // A condition that never holds: one trace for each order of the others.
        ("atomic x = 0\nthread t[3] { x.add(1) }\nthread u { await x.load() == 4 }", 6),
        // One that holds from the start is a read like any other.
        ("atomic x = 0\nthread t[2] { x.add(1) }\nthread u { await x.load() >= 0 }", 6),
        // Readers of a flag do not depend on each other.
        ("atomic f = false\nthread t { f.store(true) }\nthread u[4] { await f.load() }", 1),
        // A chain.
        ("atomic n = 0\nthread t[4] { await n.load() == index; n.add(1) }", 1),
        // Time passes while a thread waits.
        ("atomic f = false\nthread t { sleep 1ms; f.store(true) }\nthread u { await f.load() }", 1),
        ("semaphore s = 0\nthread t[2] { s.signal() }\nthread u { await s.value == 2 }", 2),
    ]

    private static func ticketLock(threads: Int) -> String {
        """
        atomic next = 0, serving = 0
        shared inside = 0
        thread worker[\(threads)] {
            let ticket = next.add(1)
            await serving.load() == ticket
            inside += 1
            serving.add(1)
        }
        """
    }

    @Test(arguments: counted)
    func `an await is one event`(_ program: String, _ traces: Int) throws {
        let engine = try TestProgram(program).engine()
        let search = PartialOrderSearch(rules: engine.rules)
        var number = 0
        while number < 1000 && search.prepare(number) {
            _ = search.execute(engine)
            number += 1
        }
        #expect(search.obstacle == nil)
        #expect(search.completeCount == traces)
        #expect(search.redundantCount == 0)
    }

    @Test func `a race on a plain variable that a thread awaits is found`() throws {
        for program in [
            "shared x = 0\nthread t { x = 1 }\nthread u { await x == 1 }",
            // Its condition never holds, and the process exits.
            "shared x = 0\nthread t { x = 1 }\nthread u { await x == 2 }\nthread boss { detach u }",
        ] {
            let engine = try TestProgram(program).engine()
            let found = try #require(KindsOfEnd(engine, .dpor, limit: 1000))
            #expect(found.findings.contains { $0.kind == .race })
            #expect(found == KindsOfEnd(engine, .dfs, limit: 1000))
        }
    }
}
