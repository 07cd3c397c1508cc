import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// Each cycle is judged by itself: what is wrong with one says nothing of the others.
@Suite struct CycleFaultTests {
    private static let hidden = """
        atomic go = 0
        thread z { if choose(2) == 0 { while true { yield } } else { go.store(1) } }
        thread s1 { await go.load() == 1; while true { progress; yield } }
        thread s2 { await go.load() == 1; while true { yield; if go.load() == 2 { progress } } }
        """
    private static let smallest = """
        atomic a = 0
        thread t { while true { if a.load() == 0 { progress } } }
        thread u { while true { a.bitXor(1) }; progress }
        """

    private func findings(_ text: String, keepsGoing: Bool = true, tolerated: Set<OutcomeKind> = []) throws
        -> [Counterexample]
    {
        let engine = try TestProgram(text).engine()
        var goal = SearchGoal()
        goal.keepsGoing = keepsGoing
        goal.tolerated = tolerated
        let report = StateSearch(engine, goal).run(100_000)
        for finding in report.findings {
            #expect(engine.run(Replay(finding.schedule)).outcome == finding.kind)
            #expect(engine.place == finding.place)
        }
        return report.findings
    }

    @Test(arguments: [hidden, smallest]) func `a livelock hides no starvation`(_ text: String) throws {
        #expect(try Set(findings(text).map(\.kind)) == [.livelock, .starvation])
        #expect(try Set(findings(text, keepsGoing: false, tolerated: [.livelock]).map(\.kind)).contains(.starvation))
        #expect(try findings(text, keepsGoing: false).count == 1)
    }

    @Test func `a cycle without any progress is a livelock, and no thread is said to starve`() throws {
        let text = """
            atomic a = 0
            thread t { while true { if a.load() == 1 { progress } } }
            thread u { while true { yield } }
            """
        #expect(try findings(text).map(\.kind) == [.livelock])
    }

    @Test func `each thread that starves is found`() throws {
        let text = """
            atomic a = 0
            thread t { while true { progress; yield } }
            thread u { if choose(2) == 0 { while true { yield } } else { while true { progress; yield } }; progress }
            thread v { if choose(2) == 0 { while true { yield } } else { while true { progress; yield } }; progress }
            """
        let found = try findings(text)
        // One, the other, or both.
        #expect(found.map(\.kind) == [.starvation, .starvation, .starvation])
        #expect(Set(found.map(\.place)).count == 3)
    }

    @Test func `livelocks in different loops are different, and those of equal threads are not`() throws {
        let different = "thread t { if choose(2) == 0 { while true { yield } } else { while true { yield } } }"
        #expect(try findings(different).count == 2)
        let equal = "atomic n = 0\nthread t[2] { if n.bitXor(1) == 0 { while true { yield } } }"
        #expect(try findings(equal).count == 1)
        let inner = "atomic n = 0\nthread t { while true { while n.bitXor(1) == 0 { yield }; yield } }"
        #expect(try findings(inner).count == 1)
    }
}
