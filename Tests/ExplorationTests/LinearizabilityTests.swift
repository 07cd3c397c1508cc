import Exploration
import LabProgram
import LabSyntax
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
        Program(
            testDescription: "an array of threads without elements",
            text: tickets("return next.add(1)", "parameter n = 0\nthread a[n] { draw() }\nthread b { draw() }"),
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

    /// Without a model of its own, a program with nothing but sequentially consistent operations does the same under
    /// all.
    @Test(arguments: programs, [MemoryModel.tso, .rc11])
    func `the search of graphs gives the same verdict under weaker memory models`(
        _ program: Program, _ model: MemoryModel
    ) throws {
        let bytecode = try bytecode(program.text, model)
        var rules = Rules()
        rules.model = model
        if bytecode.partWithoutGraph != nil { return }
        var goal = SearchGoal()
        goal.keepsGoing = true
        let prover = GraphProver(Engine(bytecode, rules: rules), goal, rules)
        let report = prover.run(1_000_000, isStopped: { false }, publish: { _ in })
        #expect(report.findings.map(\.kind) == (program.isLinearizable ? [] : [.claim]))
        #expect(report.end == .exhausted)
    }

    private func bytecode(_ text: String, _ model: MemoryModel) throws -> Bytecode {
        let reading = SourceText(name: "test.lab", "scenario \"test\"\n" + text).read()
        return try #require(reading.program).under(model).compiled()
    }

    @Test(arguments: [false, true]) func `a stack with relaxed operations is linearizable under sc and tso alone`(
        _ hasOrders: Bool
    ) throws {
        let (release, acquire) = hasOrders ? ("release", "acquire") : ("relaxed", "relaxed")
        let text = """
            atomic top = 0, below[3] = 0, value[3] = 0
            func push(node: Int, word: Int) {
                value[node].store(word, relaxed)
                while true {
                    let old = top.load(relaxed)
                    below[node].store(old, relaxed)
                    if top.compareExchange(expected: old, desired: node, \(release)) { return }
                }
            }
            func pop() -> Int {
                while true {
                    let old = top.load(\(acquire))
                    if old == 0 { return 0 }
                    if top.compareExchange(expected: old, desired: below[old].load(relaxed), \(acquire)) {
                        return value[old].load(relaxed)
                    }
                }
            }
            thread one { push(1, 7) }
            thread two { push(2, 8); pop() }
            specification {
                shared words = []
                func push(node: Int, word: Int) { words.append(word) }
                func pop() -> Int { if words.isEmpty { return 0 } else { return words.removeLast() } }
            }
            expect linearizable
            """
        #expect(search(try TestProgram(text).engine(), .dpor) {}.findings.isEmpty)
        for model in [MemoryModel.tso, .rc11] {
            var rules = Rules()
            rules.model = model
            let engine = Engine(try bytecode(text, model), rules: rules)
            let report = GraphProver(engine, SearchGoal(), rules).run(
                1_000_000, isStopped: { false }, publish: { _ in })
            let isRight = hasOrders || model == .tso
            #expect(report.findings.map(\.kind) == (isRight ? [] : [.claim]))
            #expect(report.end == (isRight ? .exhausted : .found))
        }
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
