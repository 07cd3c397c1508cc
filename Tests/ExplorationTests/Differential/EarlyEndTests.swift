import Exploration
import LabExecution
import Machine
import Testing

/// Programs in which one thread ends the run while others could continue: what the others do before, and what they no
/// longer do, are different executions.
@Suite struct EarlyEndTests {
    @Test(arguments: EarlyEnd.all)
    func `what ends a run early is found together with all that can come before it`(
        _ program: EarlyEnd
    ) throws {
        let engine = try TestProgram(program.text).engine(program.rules)
        let all = try #require(Endings(engine, BoundedSearch(.none), limit: 100_000))
        let search = PartialOrderSearch(rules: program.rules)
        let found = try #require(Endings(engine, search, limit: 100_000))
        #expect(search.obstacle == nil)
        #expect(found == all)
        #expect(search.completeCount <= all.executions)
        if let traces = program.traces { #expect(search.completeCount == traces) }
        if program.isFreeOfOptions { #expect(search.redundantCount == program.redundant) }
    }
}

struct EarlyEnd: CustomTestStringConvertible {
    var name: String
    var text: String
    /// The number of traces, counted by hand.
    var traces: Int?
    /// The number of redundant executions.
    var redundant = 0
    var spurious = 0

    var rules: Rules { Rules(maximumSteps: 1000, spuriousWakeups: spurious) }
    var isFreeOfOptions: Bool { spurious == 0 }
    var testDescription: String { name }

    static let all = [
        EarlyEnd(
            name: "a mutex locked twice",
            text: """
                mutex m; atomic x = 0
                thread t { m.lock(); m.lock() }
                thread u { x.store(1); x.store(2) }
                thread v { assert x.load() != 1 }
                """, traces: 8),
        EarlyEnd(
            name: "an assertion that always fails",
            text: """
                atomic x = 0, y = 0
                thread t { y.add(1); assert false }
                thread u { x.store(1); x.store(2) }
                thread v { assert x.load() != 1 }
                """, traces: 8),
        EarlyEnd(
            name: "an error of the program",
            text: """
                atomic x = 0, y = 0
                thread t { let zero = y.load(); y.store(1 / zero) }
                thread u { x.store(1); x.store(2) }
                thread v { assert x.load() != 1 }
                """, traces: 8),
        EarlyEnd(
            name: "a misuse",
            text: """
                mutex m; atomic x = 0
                thread t { m.unlock() }
                thread u { x.store(1); x.store(2) }
                thread v { assert x.load() != 1 }
                """, traces: 8),
        EarlyEnd(
            name: "a cycle of two beside a thread that continues",
            text: """
                mutex a, b; atomic x = 0
                thread t { a.lock(); b.lock(); b.unlock(); a.unlock() }
                thread u { b.lock(); a.lock(); a.unlock(); b.unlock() }
                thread w { x.store(1); x.store(2) }
                """, redundant: 2),
        EarlyEnd(
            name: "steps of others before an assertion that sees one of them",
            text: """
                atomic x = 1, y = 0
                thread t0 { x.store(0) }
                thread t1 { assert x.load() == 0 }
                thread t2 { if x.load() == 1 && x.load() == 1 { y.store(9) } }
                """),
        EarlyEnd(
            name: "the same with an error",
            text: """
                atomic x = 1, y = 0
                thread t0 { x.store(0) }
                thread t1 { y.store(1 / (1 - x.load())) }
                thread t2 { if x.load() == 1 && x.load() == 1 { y.store(9) } }
                """),
        EarlyEnd(
            name: "the same with a misuse",
            text: """
                mutex m; atomic x = 1, y = 0
                thread t0 { x.store(0) }
                thread t1 { if x.load() == 1 { m.unlock() } }
                thread t2 { if x.load() == 1 && x.load() == 1 { y.store(9) } }
                """),
        EarlyEnd(
            name: "the same with a mutex locked twice",
            text: """
                mutex m; atomic x = 1, y = 0
                thread t0 { x.store(0) }
                thread t1 { if x.load() == 1 { m.lock(); m.lock() } }
                thread t2 { if x.load() == 1 && x.load() == 1 { y.store(9) } }
                """),
        EarlyEnd(
            name: "one misuse beside many steps",
            text: """
                atomic x = 0; mutex m
                thread a { m.unlock() }
                thread b { x.add(1); x.add(1); x.add(1) }
                """, traces: 4),
        EarlyEnd(
            name: "a wait that ends by itself and what follows it",
            text: """
                atomic p = 0; mutex m; condition c with m
                thread t0 { lock m { if !c.wait(for: 5ms) { note "late" } }; p.store(1) }
                thread t1 { p.store(2) }
                finally { assert p.load() == 1 }
                """, spurious: 1),
        EarlyEnd(
            name: "a thread detached before it wakes up",
            text: """
                thread t0 { sleep 1ms }
                thread t1 { sleep 2ms }
                thread boss { detach t0 }
                """),
        EarlyEnd(
            name: "a cycle of joins that a detach can break",
            text: """
                thread t0 { spawn k; join k }
                thread k { join t0 }
                thread boss { detach t0 }
                """),
        EarlyEnd(
            name: "an end with one value of a choice beside a thread that continues",
            text: """
                atomic a = 1; mutex n
                thread t { n.lock(); if choose(2) == 0 { lock n { } } }
                thread u { a.store(0) }
                """),
        EarlyEnd(
            name: "a misuse between the steps that close a cycle",
            text: """
                atomic a = 0; mutex m
                thread t0 { m.unlock() }
                thread t1 { join late; a.add(1); join t2 }
                thread t2 { join t1 }
                thread late { a.add(1) }
                """),
        EarlyEnd(
            name: "two cycles that share a thread",
            text: """
                rwlock w; mutex m
                thread t[2] { w.readLock(); m.lock() }
                thread u { m.lock(); w.writeLock() }
                """),
        EarlyEnd(
            name: "two threads that spawn the same one",
            text: """
                atomic x = 0
                thread t[2] { spawn k }
                thread k { for i in 1...3 { x.add(i) } }
                finally { join k; assert x.load() == 6 }
                """),
        EarlyEnd(
            name: "many threads that spawn and detach the same one",
            text: """
                atomic x = 0
                thread t[3] { spawn k; detach k }
                thread k { x.add(1); yield; x.add(1) }
                """),
        EarlyEnd(
            name: "a thread joined that another one may not have started yet",
            text: """
                atomic x = 0
                thread t { x.store(1); spawn k }
                thread u { x.store(2); join k }
                thread k { x.store(3) }
                """),
        EarlyEnd(
            name: "a failed compare-exchange inside a lock beside an await",
            text: """
                atomic x = 0
                mutex m
                thread watcher { await x.load() == 1 }
                thread failing { lock m { if x.compareExchange(expected: 7, desired: 8) { note "no" } }; x.store(1) }
                thread other { lock m { } }
                """),
    ]
}
