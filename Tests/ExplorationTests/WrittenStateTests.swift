import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// What is written down of a state is all of it.
@Suite struct WrittenStateTests {
    @Test(
        arguments: [
            (
                "an update by each",
                "atomic a = 0\nthread t0 { spawn kid; join kid; assert a.load() == 0 }\nthread kid[2] { a.add(index) }",
                [OutcomeKind.assertion]
            ),
            (
                "a cell for each",
                "shared out[2] = 0\nthread t0 { spawn kid; detach kid }\nthread kid[2] { out[index] = 1 }", []
            ),
            (
                "the last of each",
                "atomic a[3] = 0\nthread t0 { spawn kid; join kid; assert a[2].load() == 0 }\nthread kid[3] { a[index].store(1) }",
                [.assertion]
            ),
            (
                "the second of two after a long time",
                """
                atomic b = 0, c = 0
                thread boss { spawn worker; join worker }
                thread worker[2] { if index == 1 { if b.load() == 6 { if b.load() == 7 { if b.load() == 8 { assert false } } } } }
                thread clock { repeat 12 { b.add(1) } }
                thread noise[2] { repeat 3 { c.add(1) } }
                """, [.assertion]
            ),
        ])
    func `threads of an array that another thread starts keep their numbers`(
        _ name: String, _ text: String, _ expected: [OutcomeKind]
    ) throws {
        let engine = try TestProgram(text).engine()
        for isDepthFirst in [false, true] {
            for isReduced in [false, true] {
                var settings = StateSettings()
                (settings.isDepthFirst, settings.isReduced) = (isDepthFirst, isReduced)
                let found = try #require(KindsOfEnd(engine, settings, countsTerminals: false)).findings
                #expect(Set(found.map(\.kind)).subtracting([.completed]) == Set(expected))
            }
        }
    }

    @Test func `a join of one of two threads that are alike is a join of that one`() throws {
        let text = """
            semaphore s = 0
            atomic g = 0
            shared r = 1
            thread o { s.wait() }
            thread d { g.store(1) }
            thread w { join t[1]; r = g.load(); join t[0]; s.signal() }
            thread t[2] { yield }
            expect never r == 0
            """
        let found = try #require(KindsOfEnd(try TestProgram(text).engine(), StateSettings(), countsTerminals: false))
        #expect(Set(found.findings.map(\.kind)).subtracting([.completed]) == [.claim])
    }

    @Test func `a reduced search knows what the threads do that a thread will start`() throws {
        let text = """
            mutex m
            atomic a = 0
            thread t { m.lock(); assert a.load() == 0; m.unlock() }
            thread u { spawn kid }
            thread kid { lock m { a.store(1) } }
            finally { join kid }
            """
        let found = try #require(KindsOfEnd(try TestProgram(text).engine(), StateSettings(), countsTerminals: false))
        #expect(found.findings.contains { $0.kind == .assertion })
    }

    @Test func `a schedule lets time pass where it does, although threads were exchanged`() throws {
        let text = """
            semaphore s = 1
            thread t0[2] { if s.wait(for: 1ms) { }; detach kid }
            thread kid { }
            """
        let engine = try TestProgram(text).engine()
        let report = StateSearch(engine, SearchGoal()).run(10_000)
        #expect(!report.findings.isEmpty)
        for finding in report.findings { #expect(engine.run(Replay(finding.schedule)).outcome == finding.kind) }
        var settings = StateSettings()
        settings.isReduced = false
        #expect(KindsOfEnd(engine, settings) != nil)
    }
}
