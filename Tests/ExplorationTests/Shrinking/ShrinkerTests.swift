import Exploration
import LabExecution
import LabProgram
import Machine
import Testing
import Trace

/// Schedules of findings, made short.
@Suite struct ShrinkerTests {
    struct Program: CustomTestStringConvertible, Sendable {
        var name: String
        var text: String
        /// The cheapest schedule that leads to its finding.
        var preemptions: Int
        var testDescription: String { name }
    }

    static let programs = [
        Program(
            name: "two locks in opposite orders",
            text: "mutex a, b\nthread p { lock a { lock b { } } }\nthread q { lock b { lock a { } } }", preemptions: 1),
        Program(
            name: "three philosophers",
            text: """
                mutex fork[3]
                thread p[3] { let next = (index + 1) % 3
                fork[index].lock(); fork[next].lock(); fork[next].unlock(); fork[index].unlock() }
                """, preemptions: 1),
        Program(
            name: "a lost update",
            text: "atomic x = 0\nthread t[2] { let r = x.load(); x.store(r + 1) }\nfinally { assert x.load() == 2 }",
            preemptions: 1),
        Program(
            name: "a signal before the wait",
            text: """
                mutex m
                condition c with m
                thread waiter { lock m { c.wait() } }
                thread signaller { lock m { c.signal() } }
                """, preemptions: 0),
    ]

    /// The first findings of random searches.
    private func findings(_ program: Program, count: Int) throws -> [(Schedule, Counterexample.Identity)] {
        let engine = try TestProgram(program.text).engine()
        var findings: [(Schedule, Counterexample.Identity)] = []
        let walk = RandomWalk(seed: 5)
        var number = 0
        while findings.count < count {
            #expect(walk.prepare(number))
            let verdict = engine.execute(walk)
            if verdict != .completed {
                let kind = try #require(verdict.outcome)
                findings.append((engine.schedule, Counterexample.Identity(kind: kind, place: engine.place)))
            }
            number += 1
        }
        return findings
    }

    private func shrink(_ schedule: Schedule, _ goal: Counterexample.Identity, _ engine: Engine) -> Shrunk? {
        Shrinker.shrink(schedule, to: goal, on: engine, patience: 200_000)
    }

    @Test(arguments: programs) func `what is left is the least that leads there`(program: Program) throws {
        let engine = try TestProgram(program.text).engine()
        for (schedule, goal) in try findings(program, count: 20) {
            let shrunk = try #require(shrink(schedule, goal, engine))
            #expect(shrunk.cost.preemptions == program.preemptions)
            #expect(shrunk.minimality == .steps)
            #expect(shrunk.cost <= shrunk.original)
        }
    }

    @Test(arguments: programs) func `a shrunk schedule replays to the same outcome at the same place`(
        program: Program
    ) throws {
        let engine = try TestProgram(program.text).engine()
        for (schedule, goal) in try findings(program, count: 20) {
            let shrunk = try #require(shrink(schedule, goal, engine))
            let replay = Replay(shrunk.schedule)
            #expect(engine.execute(replay).outcome == goal.kind)
            #expect(engine.place == goal.place)
            #expect(replay.divergence == nil && replay.unused == 0)
            #expect(engine.schedule == shrunk.schedule)
        }
    }

    @Test(arguments: programs) func `to shrink again changes nothing`(program: Program) throws {
        let engine = try TestProgram(program.text).engine()
        for (schedule, goal) in try findings(program, count: 20) {
            let once = try #require(shrink(schedule, goal, engine))
            let twice = try #require(shrink(once.schedule, goal, engine))
            #expect(twice.schedule == once.schedule)
            #expect(twice.original == once.cost)
        }
    }

    @Test(arguments: programs) func `so it is where only runs are dropped, moved and shortened`(program: Program) throws
    {
        let engine = try TestProgram(program.text).engine()
        for (schedule, goal) in try findings(program, count: 20) {
            func shrink(_ schedule: Schedule) -> Shrunk? {
                Shrinker.shrink(schedule, to: goal, on: SubjectStage(engine, patience: 1_000_000))
            }
            let once = try #require(shrink(schedule))
            #expect(try #require(shrink(once.schedule)).schedule == once.schedule)
        }
    }

    @Test func `a schedule that does not lead there is not shrunk`() throws {
        let program = Self.programs[0]
        let engine = try TestProgram(program.text).engine()
        let (schedule, goal) = try findings(program, count: 1)[0]
        #expect(shrink(schedule, Counterexample.Identity(kind: goal.kind, place: goal.place + 1), engine) == nil)
        #expect(shrink(Schedule(), goal, engine) == nil)
    }

    @Test func `without patience nothing is tried`() throws {
        let program = Self.programs[0]
        let engine = try TestProgram(program.text).engine()
        let (schedule, goal) = try findings(program, count: 1)[0]
        #expect(Shrinker.shrink(schedule, to: goal, on: SubjectStage(engine, patience: 0)) == nil)
        let hasty = try #require(Shrinker.shrink(schedule, to: goal, on: engine, patience: 1))
        #expect(hasty.schedule == schedule)
        #expect(hasty.minimality == .unknown)
    }

    @Test func `it ends when its time is over`() throws {
        let engine = try TestProgram(Self.programs[0].text).engine()
        let (schedule, goal) = try findings(Self.programs[0], count: 1)[0]
        var executions = 0
        let patience = ShrinkingPatience(steps: 1_000_000) {
            executions += 1
            return executions > 1
        }
        let hasty = try #require(Shrinker.shrink(schedule, to: goal, on: engine, patience: patience))
        #expect(hasty.minimality == .unknown)
    }

    /// Such a loop can read an older value as often as it likes: each time would be another execution to try.
    @Test func `under a weaker model, executions that repeat themselves are not tried`() throws {
        let text = """
            atomic x = 0
            shared a = 0
            thread reader { while x.load(relaxed) == 0 { if a == 7 { note "x" } } }
            thread writer { a = 1; x.store(1, relaxed) }
            """
        var rules = Rules(maximumSteps: 10_000)
        rules.model = .rc11
        let subject = RaceSubject(try TestProgram(text).engine(rules))
        let walk = RandomWalk(seed: 1)
        let number = try #require((0..<100).first { walk.prepare($0) && subject.execute(walk) == .race })
        #expect(number < 100)
        let goal = Counterexample.Identity(kind: .race, place: subject.place)
        let shrunk = try #require(Shrinker.shrink(subject.schedule, to: goal, on: subject, patience: 50_000))
        #expect(subject.execute(Replay(shrunk.schedule)) == .race)
        #expect(shrunk.minimality == .steps)
    }

    @Test func `a race is shrunk like other findings`() throws {
        let text = "shared x = 0\nmutex m\nthread t[2] { lock m { }\nx = 1\nlock m { } }"
        let subject = RaceSubject(try TestProgram(text).engine())
        let walk = RandomWalk(seed: 1)
        #expect(walk.prepare(0))
        #expect(subject.execute(walk) == .race)
        let goal = Counterexample.Identity(kind: .race, place: subject.place)
        let shrunk = try #require(Shrinker.shrink(subject.schedule, to: goal, on: subject, patience: 200_000))
        #expect(subject.execute(Replay(shrunk.schedule)) == .race)
        #expect(shrunk.minimality == .steps)
    }

    // MARK: - Long schedules

    /// Two locks in opposite orders after many other steps.
    private static let long = """
        mutex a, b
        atomic x = 0, y = 0
        thread p { repeat 150 { x.add(1) }
        lock a { lock b { } } }
        thread q { repeat 150 { y.add(1) }
        lock b { lock a { } } }
        """

    /// Counts attempts.
    private final class CountingStage: Stage {
        private let stage: SubjectStage
        private(set) var attempts = 0

        init(_ stage: SubjectStage) { self.stage = stage }

        func rehearse(_ plan: Schedule) -> Rehearsal? {
            attempts += 1
            return stage.rehearse(plan)
        }
    }

    /// A deadlock of the long program that a random walk finds: hundreds of runs.
    private func longDeadlock() throws -> (Schedule, Counterexample.Identity, Engine) {
        let engine = try TestProgram(Self.long).engine()
        let walk = RandomWalk(seed: 1)
        let number = try #require((0..<1000).first { walk.prepare($0) && engine.execute(walk) == .deadlock })
        #expect(number < 1000)
        return (engine.schedule, Counterexample.Identity(kind: .deadlock, place: engine.place), engine)
    }

    @Test func `a long schedule takes few attempts`() throws {
        let (schedule, goal, engine) = try longDeadlock()
        let stage = CountingStage(SubjectStage(engine, patience: 1_000_000, towards: goal))
        let shrunk = try #require(Shrinker.shrink(schedule, to: goal, on: stage))
        #expect(shrunk.original.steps > 250 && shrunk.original.preemptions > 50)
        #expect(shrunk.cost.preemptions == 1)
        #expect(stage.attempts < 1000)
        #expect(engine.execute(Replay(shrunk.schedule)) == .deadlock)
    }

    @Test func `each method has a share of the time that the previous ones cannot use up`() throws {
        let (schedule, goal, engine) = try longDeadlock()
        var asked: Set<Double> = []
        let patience = ShrinkingPatience(steps: 1_000_000) { share in
            asked.insert(share)
            return share < 1 && asked.count > 1
        }
        let shrunk = try #require(Shrinker.shrink(schedule, to: goal, on: engine, patience: patience))
        #expect(asked == [0.75, 0.875, 1])
        #expect(shrunk.cost < shrunk.original && !shrunk.endedByTime)
        let hasty = try #require(
            Shrinker.shrink(
                schedule, to: goal, on: engine,
                patience: ShrinkingPatience(steps: 1_000_000) { share in share > 0.75 }))
        #expect(hasty.endedByTime && hasty.minimality == .unknown)
    }
}
