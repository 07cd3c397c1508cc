import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// Claims that do not hold, as findings of a search: each is one of its own, beside assertions and other claims.
@Suite struct ClaimFindingTests {
    struct Program: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        /// The claims that some execution breaks; those that are called broken themselves; and how else executions fail.
        var claims = 0
        var broken = 0
        var others: Set<OutcomeKind> = []
    }

    private static let lostUpdate = """
        atomic a = 0, b = 1
        thread t[2] { let x = a.load(); a.store(x + 1) }
        thread u { assert a.load() != 1 }

        """

    static let programs = [
        Program(
            testDescription: "always, and an assertion", text: lostUpdate + "expect always a == 2", claims: 1,
            others: [.assertion]),
        Program(
            testDescription: "always, and a thread that is left behind before its last step",
            text: "atomic b = 0\nthread t { detach kid }\nthread kid { b.add(1); sleep 1ms }\nexpect always b == 0",
            claims: 1),
        Program(
            testDescription: "never, and a thread that is left behind between two steps",
            text: "atomic b = 0\nthread t { detach kid }\nthread kid { b.add(1); b.add(1) }\nexpect never b == 1",
            claims: 1),
        Program(
            testDescription: "always, and a thread that is not joined",
            text: "shared x = 0\nthread t { spawn kid }\nthread kid { x += 1 }\nexpect always x != 1",
            claims: 1, others: [.leak]),
        Program(
            testDescription: "never, and an assertion", text: lostUpdate + "expect never a == 1", claims: 1,
            others: [.assertion]),
        Program(
            testDescription: "outcomes, and an assertion", text: lostUpdate + "expect outcomes { a == 2 }", claims: 1,
            others: [.assertion]),
        Program(
            testDescription: "an invariant, and an assertion before it can break",
            text: "atomic a = 0\nthread t { a.store(2) }\nthread u { assert a.load() != 0 }\ninvariant a != 2",
            claims: 1, others: [.assertion]),
        Program(
            testDescription: "what must happen, and an assertion", text: lostUpdate + "expect eventually a == 7",
            claims: 1,
            others: [.assertion]),
        Program(
            testDescription: "two claims about the end, of which one fails whenever the other does",
            text: lostUpdate + "expect always a == 2\nexpect never a == 1 && b == 1", claims: 2, others: [.assertion]),
        Program(
            testDescription: "two claims that always fail, on one line",
            text: "atomic a = 0\nthread t { a.store(1) }\nexpect always a == 2; expect never a == 1", claims: 2),
        Program(
            testDescription: "claims and an assertion of one line",
            text: "atomic a = 0; thread t[2] { let x = a.load(); a.store(x + 1); assert x == 0 }; "
                + "expect always a == 2; expect never a == 1", claims: 2, others: [.assertion]),
        Program(
            testDescription: "two invariants that one step breaks",
            text: "atomic a = 0\nthread t { a.store(1) }\ninvariant a == 0\ninvariant a < 1", claims: 2),
        Program(
            testDescription: "one that is called broken beside one that is not",
            text: lostUpdate + "expect broken always a == 2\nexpect never a == 1", claims: 1, broken: 1,
            others: [.assertion]),
        Program(
            testDescription: "only one that is called broken", text: lostUpdate + "expect broken never a == 1",
            broken: 1,
            others: [.assertion]),
        Program(
            testDescription: "the same claim twice", text: lostUpdate + "expect always a == 2\nexpect always a == 2",
            claims: 1, others: [.assertion]),
        Program(
            testDescription: "an invariant that only the step breaks with which a cycle of threads closes",
            text: """
                mutex m, n
                atomic a = 0, x = 0, c = 0
                thread t1 { m.lock(); c.store(1); n.lock() }
                thread t2 { n.lock(); a.add(1); m.lock() }
                thread t3 { x.store(a.load()) }
                invariant x == 0 || c == 0
                """, claims: 1, others: [.deadlock]),
        Program(
            testDescription: "a deadlock that another thread can only reach before an assertion that always fails",
            text: """
                mutex v
                thread t1 { v.lock(); v.unlock(); assert false }
                thread t2 { v.lock() }
                """, others: [.assertion, .deadlock]),
        Program(
            testDescription: "a writer before several readers that keep the lock",
            text: """
                rwlock w
                atomic a = 0
                thread reader[2] { w.readLock() }
                thread writer { w.writeLock(); a.store(1) }
                invariant a == 0
                """, claims: 1, others: [.deadlock]),
        Program(
            testDescription: "a claim without a value beside one that fails",
            text: "atomic a = 0\nthread t { a.store(0) }\nexpect always 1 / a == 1\nexpect never a == 0", claims: 2),
    ]

    /// The findings of a search that keeps going.
    private func findings(_ engine: Engine, _ strategy: StrategyChoice, executions: Int) -> [Counterexample] {
        var goal = SearchGoal()
        goal.keepsGoing = true
        let settings = StrategySettings()
        if strategy == .states { return StateSearch(engine, goal, settings.states).run(100_000).findings }
        let unit = Agenda.Unit(strategy: strategy, executions: 0..<executions, before: 0)
        var search = UnitSearch(unit, goal)
        let observed = ObservedStrategy(strategy.make(settings), distinguishesTraces: false)
        return search.run(observed, on: engine) { false }.findings
    }

    @Test(arguments: programs, [StrategyChoice.dfs, .dpor, .states, .random])
    func `every strategy finds each claim that does not hold, and everything else`(
        _ program: Program, _ strategy: StrategyChoice
    ) throws {
        let engine = try TestProgram(program.text).engine()
        let found = findings(engine, strategy, executions: 2000)
        #expect(found.count { $0.kind == .claim } == program.claims)
        #expect(found.count { $0.kind == .brokenClaim } == program.broken)
        #expect(Set(found.map(\.kind)).subtracting([.claim, .brokenClaim]) == program.others)
        let identities = Set(found.map(\.identity))
        #expect(identities == Set(findings(engine, .dfs, executions: 2000).map(\.identity)))
    }

    @Test(arguments: programs) func `a claim is shrunk to a schedule that breaks the same claim`(_ program: Program)
        throws
    {
        let engine = try TestProgram(program.text).engine()
        for finding in findings(engine, .dpor, executions: 2000) where finding.isOfClaim {
            let goal = finding.identity
            let shrunk = try #require(Shrinker.shrink(finding.schedule, to: goal, on: engine, patience: 100_000))
            let verdict = engine.run(Replay(shrunk.schedule))
            #expect(engine.rehearsal(verdict, preemptions: 0, towards: goal).end == goal)
        }
    }

    @Test func `a claim that is not called broken decides how an execution ends that breaks both`() throws {
        let text = "atomic a = 0\nthread t { a.store(1) }\nexpect broken always a == 2\nexpect never a == 1"
        let engine = try TestProgram(text).engine()
        #expect(engine.run(RandomWalk(seed: 1)) == .claim)
        #expect(engine.otherBrokenClaims.map(\.verdict) == [.brokenClaim])
        #expect(engine.failure?.message == "at the end, 'never a == 1' does not hold")
    }
}
