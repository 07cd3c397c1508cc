import Execution
import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// A thread that waits for time beside one that spins: a fair scheduler lets time pass too.
@Suite struct TimeBesideLoopsTests {
    typealias Program = EndlessTests.Program

    static let programs = [
        Program(
            "what follows a sleep races",
            """
            atomic ready = 0
            shared data = 0
            thread user { while ready.load() == 0 { yield }; assert data == 1 }
            thread maker { sleep 10ms; ready.store(1); data = 1 }
            """, [.completed, .race, .assertion]),
        Program(
            "a loop goes on after a sleep",
            "atomic f = 0\nthread t { while f.load() == 0 { yield } }\nthread boss { sleep 1ms }", [.livelock]),
        Program(
            "a time limit passes again and again",
            """
            mutex m
            atomic x = 0
            thread hog { lock m { while true { x.store(0); progress } } }
            thread poor { while true { if m.lock(for: 1ms) { m.unlock(); progress } } }
            """, [.starvation]),
        Program(
            "a wait on a condition ends",
            """
            mutex m
            condition c with m
            atomic f = 0
            thread t { while f.load() == 0 { yield }; assert false }
            thread boss { lock m { c.wait(for: 1ms) }; f.store(1) }
            """, [.assertion]),
        Program(
            "a thread does not get a lock in time from one that spins in it",
            """
            mutex m
            atomic f = 0
            thread hog { lock m { while f.load() == 0 { yield } } }
            thread poor { if m.lock(for: 1ms) { m.unlock(); f.store(1) } else { f.store(1); assert false } }
            """, [.completed, .assertion]),
        Program(
            "a semaphore is tried until it is signaled",
            "semaphore s = 0\nthread t { while !s.tryWait() { }; assert false }\nthread boss { sleep 1ms; s.signal() }",
            [.assertion]),
        Program(
            "two threads spin",
            """
            atomic f = 0
            thread a { while f.load() == 0 { yield } }
            thread b { while f.load() == 0 { yield }; assert false }
            thread boss { sleep 1ms; f.store(1) }
            """, [.assertion]),
        Program(
            "a thread chooses again and again",
            """
            atomic f = 0
            thread t { while f.load() == 0 { let k = choose(2); if k == 1 { yield } }; assert false }
            thread boss { sleep 1ms; f.store(1) }
            """, [.assertion]),
        Program(
            "time passes twice",
            """
            atomic f = 0, g = 0
            thread t { while f.load() == 0 { yield }; g.store(1); while f.load() == 1 { yield }; assert f.load() == 2 }
            thread boss { sleep 1ms; f.store(1); sleep 1ms; assert g.load() == 1; f.store(3) }
            """, [.assertion]),
        Program(
            "progress is made beside a sleep, and after it too",
            """
            atomic f = 0
            thread t { while true { f.store(1); progress } }
            thread boss { sleep 1ms; f.store(0) }
            """, [.completed]),
        Program(
            "a sleep is longer than what is done once before a loop",
            """
            atomic f = 0, a = 0
            thread t { a.store(1); while f.load() == 0 { yield } }
            thread boss { sleep 1ms; assert a.load() == 1; f.store(1) }
            """, [.completed]),
        Program(
            "a loop that counts its rounds ends before a sleep",
            "atomic a = 0\nthread t { repeat 9 { a.add(1) } }\nthread boss { sleep 1ms; assert a.load() == 9 }",
            [.completed]),
        Program(
            "a thread that polls and sleeps forever", "atomic f = 0\nthread t { while f.load() == 0 { sleep 1ms } }",
            [.livelock]),
        Program(
            "a writer with a limit waits behind a reader that spins",
            """
            rwlock l
            atomic f = 0
            thread reader { reading l { while f.load() == 0 { yield } } }
            thread writer { if l.writeLock(for: 1ms) { l.unlock(); f.store(1) } else { f.store(1); assert false } }
            """, [.completed, .assertion]),
        Program(
            "a lock that others take and release forever is had in time only if locks are fair",
            """
            mutex m
            atomic f = 0
            thread a[2] { while f.load() == 0 { lock m { yield } } }
            thread poor { if m.lock(for: 1ms) { m.unlock(); f.store(1) } else { f.store(1); assert false } }
            """, [.completed], weak: [.completed, .assertion]),
    ]

    private static func rules(_ fairness: Rules.Fairness, steps: Int = 3000) -> Rules {
        var rules = Rules(maximumSteps: steps)
        rules.fairness = fairness
        return rules
    }

    /// What a run may end in, and what may also be said of one that does not end.
    private static func seen(_ kinds: Set<OutcomeKind>) -> Set<OutcomeKind> { kinds.union([.completed]) }

    @Test(arguments: programs, Rules.Fairness.allCases)
    func `the search by states lets time pass beside threads that repeat themselves`(
        _ program: Program, _ fairness: Rules.Fairness
    ) throws {
        let rules = Self.rules(fairness)
        let engine = try TestProgram(program.text).engine(rules)
        for (isReduced, exchanges, isDepthFirst) in [(true, true, false), (false, false, true), (true, false, true)] {
            var settings = StateSettings()
            settings.rules = rules
            (settings.isReduced, settings.exchanges, settings.isDepthFirst) = (isReduced, exchanges, isDepthFirst)
            let found = try #require(KindsOfEnd(engine, settings, countsTerminals: false)).findings
            #expect(
                Self.seen(Set(found.map(\.kind))) == Self.seen(program.kinds(fairness)),
                "reduced \(isReduced), exchanged \(exchanges), depth first \(isDepthFirst)")
        }
    }

    @Test(arguments: programs, Rules.Fairness.allCases)
    func `what was found is replayed, with fibers and without, and can be shrunk`(
        _ program: Program, _ fairness: Rules.Fairness
    ) throws {
        let rules = Self.rules(fairness)
        let program = try TestProgram(program.text)
        let engine = program.engine(rules)
        var settings = StateSettings()
        settings.rules = rules
        var goal = SearchGoal()
        goal.keepsGoing = true
        for finding in StateSearch(engine, goal, settings).run(100_000).findings {
            for schedule in [finding.schedule, try #require(Self.shrunk(finding, engine))] {
                let races = RaceWatch()
                engine.observers = finding.kind == .race ? [races] : []
                defer { engine.observers = [] }
                let replay = engine.run(Replay(schedule))
                #expect(finding.kind == .race ? races.firstRace != nil : replay.outcome == finding.kind)
                #expect(engine.schedule == schedule)
                let runtime = ControlledRuntime(chooser: Replay(schedule), rules: rules)
                #expect(runtime.run { try InterpretedProgram(program.bytecode).run() } == replay)
                #expect(runtime.schedule == schedule)
            }
        }
    }

    private static func shrunk(_ finding: Counterexample, _ engine: Engine) -> Schedule? {
        let subject: any Subject = finding.kind == .race ? RaceSubject(engine) : engine
        let goal = Counterexample.Identity(kind: finding.kind, place: finding.place)
        return Shrinker.shrink(finding.schedule, to: goal, on: subject, patience: 30_000)?.schedule
    }

    @Test(arguments: programs, [StrategyChoice.dpor, .dfs, .preempt, .delay])
    func `no strategy calls a failing program proved`(_ program: Program, _ strategy: StrategyChoice) throws {
        let expected = program.strong.subtracting([.completed])
        if expected.isEmpty { return }
        var settings = StrategySettings()
        settings.rules = Self.rules(.strong, steps: 500)
        let unit = Agenda.Unit(strategy: strategy, executions: 0..<300, before: 0)
        var search = UnitSearch(unit, SearchGoal())
        let engine = try TestProgram(program.text).engine(settings.rules)
        let report = search.run(ObservedStrategy(strategy.make(settings), distinguishesTraces: false), on: engine) {
            false
        }
        #expect(report.end == .found || report.counts.cutOff > 0 || report.end != .exhausted)
        #expect(Set(report.findings.map(\.kind)).isSubset(of: expected))
        #expect(report.obstacle != .misjudged)
    }

    @Test(arguments: programs)
    func `random executions end in what the search by states finds, and no others`(_ program: Program) throws {
        let engine = try TestProgram(program.text).engine(Self.rules(.strong, steps: 20_000))
        let races = RaceWatch()
        engine.observers = [races]
        var seen: Set<OutcomeKind> = []
        for seed in UInt64(1)...100 {
            let verdict = engine.run(RandomWalk(seed: seed))
            // A schedule that is not fair for so long.
            if verdict == .stepLimit { continue }
            let kind = try #require(verdict.outcome)
            seen.insert(kind == .completed && races.firstRace != nil ? .race : kind)
            #expect(engine.run(Replay(engine.schedule)) == verdict)
        }
        #expect(Self.seen(seen) == Self.seen(program.strong))
    }
}
