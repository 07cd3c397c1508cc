import Execution
import Exploration
import LabExecution
import LabSyntax
import Machine
import Testing

@Suite struct FairCycleTests {
    struct Program: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var text: String
    }

    private static let livelocks = [
        Program(
            testDescription: "each lets the other go first",
            text: """
                atomic isOutside[2] = true
                thread person[2] {
                    while isOutside[1 - index].load() { sleep 1ms }
                    isOutside[index].store(false)
                }
                """),
        Program(
            testDescription: "a loop reads what no thread changes any more",
            text: "atomic x = 0\nthread a { while x.load() == 0 { } }\nthread b { x.store(0) }"),
        Program(
            testDescription: "each compare-exchange expects what the other one would store",
            text: """
                atomic x = 0
                thread a { while !x.compareExchange(1, 2) { } }
                thread b { while !x.compareExchange(2, 1) { yield } }
                """),
        Program(
            testDescription: "a spin lock is taken twice",
            text: "atomic isTaken = false\nthread a { repeat 2 { while isTaken.exchange(true) { yield } } }"),
    ]

    private static let others = [
        Program(
            testDescription: "a counter continues",
            text: "atomic left = 5\nthread a[2] { while left.load() != 0 { sleep 1ms; left.add(-2) } }"),
        Program(
            testDescription: "a thread that sleeps would end it",
            text: "atomic x = 0\nthread a { while x.load() == 0 { } }\nthread b { sleep 1ms; x.store(1) }"),
        Program(
            testDescription: "another choice would end it",
            text: "atomic x = 0\nthread a { while x.load() == 0 { if choose(100000) == 99999 { x.store(1) } } }"),
        Program(
            testDescription: "the threads reach their end",
            text: "mutex m\nshared x = 0\nthread a[3] { repeat 30 { lock m { x += 1 } } }"),
        Program(
            testDescription: "they give way for some time only",
            text: """
                mutex spoon[2]
                thread diner[2] {
                    repeat 40 { lock spoon[index] { if spoon[1 - index].tryLock() { spoon[1 - index].unlock() } } }
                }
                """),
    ]

    /// Random walks that are examined before each step.
    private static func walks() -> [any Chooser] { (1...20).map { Watched(RandomWalk(seed: $0)) } }

    private func verdicts(_ program: Program, _ choosers: [any Chooser], _ limit: Int = 3000) throws -> Set<Verdict> {
        let engine = try TestProgram(program.text).engine(Rules(maximumSteps: limit))
        return Set(choosers.map { engine.run($0) })
    }

    @Test(arguments: livelocks) func `a fair cycle is found at once if each step is looked at`(program: Program) throws
    {
        #expect(try verdicts(program, Self.walks()) == [.endless])
    }

    @Test(arguments: livelocks) func `a fair cycle is found now and then if not each step is looked at`(
        program: Program
    ) throws {
        // Before the limit; and long before it.
        for limit in [3000, 100_000] {
            #expect(try verdicts(program, (1...20).map { RandomWalk(seed: $0) }, limit) == [.endless])
        }
    }

    @Test(arguments: others) func `a cycle that a thread, or a choice, would end is not fair`(program: Program) throws {
        #expect(try !verdicts(program, Self.walks()).contains(.endless))
    }

    @Test func `a cycle in which the scheduler passes over a thread is not fair`() throws {
        let text = "atomic x = 0\nthread a { while x.load() == 0 { } }\nthread b { x.store(1) }"
        let program = Program(testDescription: "", text: text)
        #expect(try verdicts(program, [Watched(FirstOnly())]) == [.stepLimit])
    }

    @Test(arguments: livelocks) func `a fair cycle is shown again by its schedule, with fibers and without`(
        program: Program
    ) throws {
        let program = try TestProgram(program.text)
        let engine = program.engine(Rules(maximumSteps: 3000))
        for walk in Self.walks() {
            #expect(engine.run(walk) == .endless)
            let schedule = engine.schedule
            #expect(engine.run(Replay(schedule)) == .endless)
            #expect(engine.schedule == schedule)
            let runtime = ControlledRuntime(chooser: Replay(schedule), rules: engine.rules)
            #expect(runtime.run { try InterpretedProgram(program.bytecode).run() } == .endless)
            #expect(runtime.schedule == schedule)
        }
    }

    private static let racy = Program(
        testDescription: "a race before a loop",
        text: "shared a = 0\nthread t0 { a = 1 }\nthread t1 { while a >= 0 { yield } }")

    /// A race outranks that there were too many steps, and not that they repeat: so where an execution is cut off, it must not depend on who looks.
    @Test(arguments: livelocks + [racy]) func `an execution and its replay are judged alike, whatever the limit`(
        program: Program
    ) throws {
        for limit in [5, 20, 60, 127, 128, 129, 140, 300, 4100, 4224, 4300, 4400] {
            let engine = try TestProgram(program.text).engine(Rules(maximumSteps: limit))
            let random: [any Chooser] = (1...8).map { RandomWalk(seed: $0) }
            let choosers = random + (1...4).map { PCT(seed: $0, depth: 2) } + [FirstOnly(), RoundRobin()]
            for chooser in choosers {
                if let strategy = chooser as? any Strategy, !strategy.prepare(0) { continue }
                let verdict = engine.run(chooser)
                let schedule = engine.schedule
                #expect(engine.run(Replay(schedule)) == verdict, "\(limit)")
            }
        }
    }

    @Test func `a fair cycle has a short schedule`() throws {
        let engine = try TestProgram(Self.livelocks[0].text).engine()
        #expect(engine.run(RandomWalk(seed: 1)) == .endless)
        let goal = Counterexample.Identity(kind: .livelock, place: 0)
        let shrunk = try #require(Shrinker.shrink(engine.schedule, to: goal, on: engine, patience: 300_000))
        #expect(shrunk.schedule.stepCount <= 16, "\(shrunk.schedule)")
        #expect(engine.run(Replay(shrunk.schedule)) == .endless)
    }
}

/// Always the first thread other than the main one.
private final class FirstOnly: Chooser {
    func begin() {}
    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        enabled.first { $0 != 0 } ?? 0
    }
    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? { 0 }
}

/// Has every step of the executions examined.
private final class Watched: Chooser {
    private let chooser: any Chooser

    init(_ chooser: any Chooser) { self.chooser = chooser }

    var cycleSearch: CycleSearch { .always }
    func begin() { chooser.begin() }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        chooser.chooseThread(enabled, last: last, state: state)
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        chooser.chooseAlternative(count, of: thread, state: state)
    }
}
