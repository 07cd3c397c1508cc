import Execution
import Exploration
import LabExecution
import Machine
import Testing
import Trace

/// Programs that are meant to go on forever: `progress`, `expect eventually`, and both kinds of fairness.
@Suite struct EndlessTests {
    struct Program: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let text: String
        /// What a search finds, with strong and with weak fairness.
        let strong: Set<OutcomeKind>
        let weak: Set<OutcomeKind>

        init(_ description: String, _ text: String, _ strong: Set<OutcomeKind>, weak: Set<OutcomeKind>? = nil) {
            testDescription = description
            self.text = text
            self.strong = strong
            self.weak = weak ?? strong
        }

        func kinds(_ fairness: Rules.Fairness) -> Set<OutcomeKind> { fairness == .strong ? strong : weak }
    }

    static let programs = [
        Program(
            "a test-and-set lock starves a thread",
            """
            atomic isTaken = false
            thread a[2] { while true { while isTaken.exchange(true) { yield }; progress; isTaken.store(false) } }
            """, [.starvation]),
        Program(
            "a ticket lock does not",
            """
            atomic next = 0, served = 0
            thread a[2] {
                while true {
                    let ticket = next.bitXor(1)
                    while served.load() != ticket { yield }
                    progress
                    served.store(1 - ticket)
                }
            }
            """, []),
        Program(
            "a mutex does not if locks are fair", "mutex m\nthread a[2] { while true { lock m { progress } } }", [],
            weak: [.starvation]),
        Program(
            "a thread is kept from progress by one that has none",
            """
            atomic isTaken = false
            thread a { while true { while isTaken.exchange(true) { }; progress; isTaken.store(false) } }
            thread b { while true { while isTaken.exchange(true) { }; isTaken.store(false) } }
            """, [.livelock]),
        Program(
            "progress in a function is progress",
            "mutex m\nfunc eat() { progress }\nthread a[2] { while true { lock m { eat() } } }", [],
            weak: [.starvation]),
        Program(
            "the main thread makes progress too",
            """
            atomic x = 0
            thread a { x.store(1) }
            finally { while true { x.store(0); progress } }
            """, []),
        Program(
            "the main thread can starve",
            """
            mutex m
            thread a { lock m { while true { yield; progress } } }
            thread b { detach a }
            finally { m.lock(); progress; m.unlock() }
            """, [.starvation]),
        Program(
            "a thread that waits for a dead one starves beside one that works",
            """
            semaphore s = 0
            thread a { while true { yield; progress } }
            thread b { while true { s.wait(); progress } }
            """, [.starvation]),
        Program(
            "without progress of any thread it is a livelock",
            """
            atomic turn = 0
            thread a[2] { while turn.load() != 2 { turn.store(index) }; progress }
            """, [.livelock]),
        Program(
            "what must happen does not, although there is progress",
            "atomic x = 0\nthread a { while true { x.store(1); progress; x.store(0) } }\nexpect eventually x == 2",
            [.livelock]),
        Program(
            "what must happen happens",
            "atomic x = 0\nthread a { while true { x.store(1); progress; x.store(0) } }\nexpect eventually x == 1", []),
        Program(
            "what must happen depends on a thread that a fair scheduler lets step",
            """
            atomic x = 0
            thread a { while true { yield; progress } }
            thread b { x.store(1) }
            expect eventually x == 1
            """, []),
        Program(
            "what must happen does not in an execution that ends",
            "atomic x = 0, y = 0\nthread a { x.store(1); x.store(0) }\nthread b { y.store(1); y.store(0) }\n"
                + "expect eventually x == 1 && y == 1", [.claim]),
        Program(
            "what must happen is true at the beginning only",
            "atomic x = 1\nthread a { x.store(0) }\nthread b { x.load() }\nexpect eventually x == 1", []),
        Program(
            "what must happen is true at the beginning, and a thread starves",
            """
            atomic x = 1
            semaphore s = 0
            thread a { x.store(0); while true { yield; progress } }
            thread b { while true { s.wait(); progress } }
            expect eventually x == 1
            """, [.starvation]),
        Program(
            "an invariant over variables that different threads write",
            "atomic x = 0, y = 0\nthread a { x.store(1) }\nthread b { y.store(1) }\ninvariant x == 0 || y == 1",
            [.claim]),
        Program(
            "an invariant that holds",
            """
            mutex m
            shared x = 0, y = 0
            thread a[2] { while true { lock m { x += 1; y += 1; x -= 1; y -= 1; progress } } }
            invariant x <= 1 && y <= x + 1
            """, [], weak: [.starvation]),
        Program(
            "an invariant of a list",
            "shared log = []\nthread a { log.append(1); log.append(2) }\ninvariant log.count < 2",
            [.claim]),
        Program("an invariant of the beginning", "shared x = 1\nthread a { x = 0 }\ninvariant x == 0", [.claim]),
    ]

    @Test(arguments: programs, Rules.Fairness.allCases)
    func `the search by states finds what never ends as it should`(
        _ program: Program, _ fairness: Rules.Fairness
    ) throws {
        var rules = Rules(maximumSteps: 3000)
        rules.fairness = fairness
        let engine = try TestProgram(program.text).engine(rules)
        let expected = program.kinds(fairness)
        for (isReduced, exchanges) in [(true, true), (true, false), (false, true), (false, false)] {
            var settings = StateSettings()
            settings.rules = rules
            (settings.isReduced, settings.exchanges) = (isReduced, exchanges)
            let found = try #require(KindsOfEnd(engine, settings, countsTerminals: false)).findings
            #expect(Set(found.map(\.kind)).subtracting([.completed]) == expected)
        }
    }

    @Test(arguments: programs, Rules.Fairness.allCases)
    func `a replay of what was found, with fibers and without, ends in the same way`(
        _ program: Program, _ fairness: Rules.Fairness
    ) throws {
        var rules = Rules(maximumSteps: 3000)
        rules.fairness = fairness
        let program = try TestProgram(program.text)
        let engine = program.engine(rules)
        var settings = StateSettings()
        settings.rules = rules
        let goal = SearchGoal()
        for finding in StateSearch(engine, goal, settings).run(100_000).findings {
            let replay = engine.run(Replay(finding.schedule))
            #expect(replay.outcome == finding.kind)
            #expect(engine.schedule == finding.schedule)
            let runtime = ControlledRuntime(chooser: Replay(finding.schedule), rules: rules)
            #expect(runtime.run { try InterpretedProgram(program.bytecode).run() } == replay)
            #expect(runtime.schedule == finding.schedule)
        }
    }

    @Test(arguments: programs)
    func `random executions end in what the search by states finds, or go on as they should`(
        _ program: Program
    ) throws {
        let engine = try TestProgram(program.text).engine(Rules(maximumSteps: 20_000))
        let allowed = Set(program.strong.map(\.rawValue)).union(["completed"])
        for seed in UInt64(1)...20 {
            let verdict = engine.run(RandomWalk(seed: seed))
            if verdict == .stepLimit { continue }
            #expect(allowed.contains(try #require(verdict.outcome).rawValue), "seed \(seed)")
        }
    }

    @Test func `an execution without an end, as it should be, ends when it has closed a cycle`() throws {
        let text = "mutex m\nthread a[2] { while true { lock m { progress } } }"
        #expect(try TestProgram(text).engine().run(RandomWalk(seed: 1)) == .forever)
    }

    @Test func `a starving thread has a short schedule`() throws {
        let engine = try TestProgram(Self.programs[0].text).engine()
        let schedule = try #require(
            (UInt64(1)...100).lazy.compactMap {
                engine.run(RandomWalk(seed: $0)) == .starvation ? engine.schedule : nil
            }.first)
        let goal = Counterexample.Identity(kind: .starvation, place: 0)
        let shrunk = try #require(Shrinker.shrink(schedule, to: goal, on: engine, patience: 300_000))
        #expect(shrunk.schedule.stepCount <= 9, "\(shrunk.schedule)")
        #expect(engine.run(Replay(shrunk.schedule)) == .starvation)
    }

    @Test(
        arguments: [
            "shared x = 1\nthread t0 { x = 0 }\nthread t1 { while true { x = 1; progress } }",
            "shared x = 0\nthread t1 { if x == 0 { } }\nthread t2 { while true { progress; x = 0 } }",
            """
            shared x = 0, xs[2] = 0
            thread t1 { while true { progress; xs[1] = 0 } }
            thread kid[2] { x += 1 }
            """,
            "mutex m\nshared x = 0\nthread a[2] { while true { lock m { x = 1 }; progress; if m.tryLock() { m.unlock() } else { x = 2 } } }",
            "shared x = 0\natomic f = 0\nthread t { while true { f.load(); progress; x = 1 } }\nthread s { sleep 1ms; x = 2 }",
        ], Rules.Fairness.allCases)
    func `a race in a program that continues forever is a finding`(_ text: String, _ fairness: Rules.Fairness) throws {
        var settings = StateSettings()
        settings.rules.fairness = fairness
        let engine = try TestProgram(text).engine(settings.rules)
        for isReduced in [false, true] {
            settings.isReduced = isReduced
            var goal = SearchGoal()
            // With weak fairness a thread may starve as well.
            goal.keepsGoing = true
            let report = StateSearch(engine, goal, settings).run(100_000)
            let finding = try #require(report.findings.first { $0.kind == .race })
            let subject = RaceSubject(engine)
            #expect(subject.execute(Replay(finding.schedule)) == .race)
            #expect(subject.place == finding.place)
        }
    }

    @Test func `there is no race where each access is in the lock`() throws {
        let text = "mutex m\nshared x = 0\nthread a[2] { while true { lock m { x += 1; x -= 1 }; progress } }"
        let report = StateSearch(try TestProgram(text).engine(), SearchGoal()).run(100_000)
        #expect(report.end == .exhausted && report.findings.isEmpty)
    }
}
