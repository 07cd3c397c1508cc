import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// A race is how an execution ends only if that completes. A search by graphs looks at one execution for a race that it finds in graphs.
@Suite struct HiddenRaceTests {
    private func search(_ text: String, steps: Int = 400, keepsGoing: Bool = true) throws -> UnitReport {
        var rules = Rules(maximumSteps: steps)
        rules.model = .rc11
        var goal = SearchGoal()
        goal.keepsGoing = keepsGoing
        goal.harmless = [.completed]
        return GraphProver(Engine(try TestProgram(text).bytecode, rules: rules), goal, rules)
            .run(.max, isStopped: { false }, publish: { _ in })
    }

    @Test func `an execution with a race that continues to a deadlock does not hide one that completes`() throws {
        let report = try search(
            """
            shared x = 0
            atomic f = 0
            semaphore s = 0
            thread a { x = 1; f.store(1, relaxed) }
            thread b { x = 2; if choose(2) == 0 { s.wait() } }
            """)
        #expect(Set(report.findings.map(\.kind)) == [.deadlock, .race])
        #expect(report.end == .exhausted)
    }

    @Test func `nothing is proved if an execution with a race is too long`() throws {
        let report = try search(
            """
            shared x = 0, p = 0, q = 0
            atomic f = 0
            thread a { x = 1; f.store(1, relaxed); repeat 30 { p = 1 } }
            thread b { x = 2; repeat 30 { q = 1 } }
            """, steps: 40)
        #expect(report.end != .exhausted && report.obstacle == .tooLong)
    }

    @Test func `a thread that fails before the later access of a race is no mistake of the search`() throws {
        let report = try search(
            """
            shared x = 0
            atomic f = 0
            thread a { x = 1; assert f.exchange(1, relaxed) == 1 }
            thread b { if f.load(relaxed) == 1 { x = 2 } }
            """)
        #expect(report.obstacle == nil)
        #expect(Set(report.findings.map(\.kind)).contains(.assertion))
    }

    @Test func `a race that is found before a graph is complete was found in an execution`() throws {
        let text = "shared x = 0\natomic f = 0\nthread a { x = 1; f.store(1, relaxed) }\nthread b { x = 2 }"
        let report = try search(text, keepsGoing: false)
        #expect(report.end == .found && report.findings.map(\.kind) == [.race])
        #expect(report.counts.executions == 1 && report.counts.steps == report.findings.first?.steps)
    }
}
