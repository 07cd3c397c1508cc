import Exploration
import Machine
import Testing
import Trace

@testable import LabExecution

/// `expect linearizable` under every strategy: with what the search by partial orders leaves out, and where states are
/// merged.
@Suite struct LinearizabilityTests {
    struct Program: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        var isLinearizable = false
        /// Whether all its interleavings can be tried.
        var isSmall = true
    }

    private static let register = """
        specification {
            shared x = 0
            func write(value: Int) { x = value }
            func read() -> Int { return x }
        }
        expect linearizable

        """

    /// Each thread draws a ticket, or two.
    private static func tickets(_ body: String, _ threads: String) -> String {
        """
        atomic next = 0
        func draw() -> Int { \(body) }
        specification {
            shared next = 0
            func draw() -> Int { next += 1; return next - 1 }
        }
        \(threads)
        expect linearizable
        """
    }

    private static let twoSteps = "let n = next.load(); next.store(n + 1); return n"

    static let programs = [
        Program(
            testDescription: "calls that have no steps on a common object, wrong only in real time",
            text: register + """
                atomic written = 0, heard = 0
                func write(value: Int) { written.store(value) }
                func read() -> Int { return heard.load() }
                thread reader { read() }
                thread writer { write(1) }
                """),
        Program(
            testDescription: "the same in two elements of an array",
            text: register + """
                atomic written = 0, heard = 0
                func write(value: Int) { written.store(value) }
                func read() -> Int { return heard.load() }
                thread user[2] { if index == 0 { write(1) } else { read() } }
                """),
        Program(
            testDescription: "a register",
            text: register + """
                atomic x = 0
                func write(value: Int) { x.store(value) }
                func read() -> Int { return x.load() }
                thread reader { read(); read() }
                thread writer { write(1); write(2) }
                """, isLinearizable: true, isSmall: false),
        Program(
            testDescription: "a register that is written in two steps",
            text: register + """
                atomic a = 0, b = 0
                func write(value: Int) { a.store(value); b.store(value) }
                func read() -> Int { if choose(2) == 0 { return a.load() } else { return b.load() } }
                thread reader { read(); read() }
                thread writer { write(1) }
                """),
        Program(
            testDescription: "tickets in one step", text: tickets("return next.add(1)", "thread a[3] { draw() }"),
            isLinearizable: true, isSmall: false),
        Program(testDescription: "tickets in two steps", text: tickets(twoSteps, "thread a[2] { draw() }")),
        Program(
            testDescription: "a call in finally that shows what was lost",
            text: tickets(
                twoSteps, "thread a { draw() }\nthread b { next.store(0) }\nfinally { draw() }")),
        Program(
            testDescription: "arguments that are calls",
            text: tickets(
                "return next.add(1)",
                "thread a { let sum = draw() + max(draw(), draw()); assert sum >= 2 }\nthread b { draw() }"),
            isLinearizable: true, isSmall: false),
        Program(
            testDescription: "a call that has to wait until another one has taken effect",
            text: """
                atomic isOpen = false, early = 0
                func open() { isOpen.store(true) }
                func pass() -> Bool { await isOpen.load() || early.load() == 1; return isOpen.load() }
                specification {
                    shared isOpen = false
                    func open() { isOpen = true }
                    func pass() -> Bool { await isOpen; return true }
                }
                thread a { pass() }
                thread b { open() }
                expect linearizable
                """, isLinearizable: true),
        Program(
            testDescription: "a call that should have waited",
            text: """
                atomic isOpen = false
                func open() { isOpen.store(true) }
                func pass() -> Bool { return true }
                specification {
                    shared isOpen = false
                    func open() { isOpen = true }
                    func pass() -> Bool { await isOpen; return true }
                }
                thread a { pass() }
                thread b { open() }
                expect linearizable
                """),
    ]

    @Test(arguments: programs, [StrategyChoice.dfs, .dpor, .states])
    func `every strategy gives the same verdict`(_ program: Program, _ strategy: StrategyChoice) throws {
        if strategy == .dfs && !program.isSmall { return }
        let engine = try TestProgram(program.text).engine()
        let report: UnitReport
        if strategy == .states {
            report = StateSearch(engine, SearchGoal(), StrategySettings().states).run(1_000_000)
        } else {
            report = search(engine, strategy) {}
        }
        #expect(report.findings.map(\.kind) == (program.isLinearizable ? [] : [.claim]))
        #expect(report.end == (program.isLinearizable ? .exhausted : .found))
    }

    private func search(
        _ engine: Engine, _ strategy: StrategyChoice, _ goal: SearchGoal = SearchGoal(), each: () -> Void
    ) -> UnitReport {
        let unit = Agenda.Unit(strategy: strategy, executions: 0..<1_000_000, before: 0)
        var search = UnitSearch(unit, goal)
        let observed = ObservedStrategy(strategy.make(StrategySettings()), distinguishesTraces: false)
        return search.run(observed, on: engine) {
            each()
            return false
        }
    }

    /// All histories: results, and which calls were seen to have returned before which.
    private func histories(_ text: String, by strategy: StrategyChoice) throws -> (all: Set<String>, runs: Int) {
        let engine = try TestProgram(text).engine()
        let logs = try #require(engine.bytecode.callLogs)
        var all: Set<String> = []
        let note = { if engine.verdict != nil { all.insert("\(logs.history(engine.words).calls)") } }
        var goal = SearchGoal()
        goal.keepsGoing = true
        let report = search(engine, strategy, goal, each: note)
        note()
        #expect(report.end == .exhausted)
        return (all, report.counts.executions)
    }

    @Test(arguments: programs.filter(\.isSmall))
    func `the search by partial orders observes what all interleavings show`(
        _ program: Program
    ) throws {
        let reduced = try histories(program.text, by: .dpor)
        let whole = try histories(program.text, by: .dfs)
        #expect(reduced.all == whole.all)
        #expect(reduced.runs < whole.runs)
    }

    @Test func `a data race is not hidden by what observes real time`() throws {
        let text =
            Self.register + """
                shared x = 0
                func write(value: Int) { x = value }
                func read() -> Int { return x }
                thread reader { read() }
                thread writer { write(1) }
                """
        let found = search(try TestProgram(text).engine(), .dpor) {}.findings
        #expect(found.map(\.kind) == [.race])
    }
}
