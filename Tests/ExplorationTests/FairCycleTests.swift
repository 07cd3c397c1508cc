import Exploration
import LabExecution
import LabSyntax
import Machine
import Testing

@Suite("A cycle that a fair scheduler can follow forever")
struct FairCycleTests {
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
            testDescription: "a loop looks at what nobody changes any more",
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
            testDescription: "a counter goes on",
            text: "atomic left = 5\nthread a[2] { while left.load() != 0 { sleep 1ms; left.add(-2) } }"),
        Program(
            testDescription: "a thread that sleeps would end it",
            text: "atomic x = 0\nthread a { while x.load() == 0 { } }\nthread b { sleep 1ms; x.store(1) }"),
        Program(
            testDescription: "another choice would end it",
            text: "atomic x = 0\nthread a { while x.load() == 0 { if choose(100000) == 99999 { x.store(1) } } }"),
        Program(
            testDescription: "the threads come to their end",
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

    /// In how many of some random walks a cycle is found in the first steps.
    private func cycles(_ program: Program, among chooser: (UInt64) -> any Chooser) throws -> Int {
        let engine = try TestProgram(program.text).engine(Rules(maximumSteps: 600))
        return (1...20).count { seed in
            let watch = CycleWatch(chooser(UInt64(seed)), engine)
            _ = engine.run(watch)
            return watch.isFound
        }
    }

    @Test("is found within some hundred steps", arguments: livelocks)
    func found(program: Program) throws {
        #expect(try cycles(program) { RandomWalk(seed: $0) } == 20)
    }

    @Test("is not one that a thread, or a choice, would end", arguments: others)
    func notFound(program: Program) throws {
        #expect(try cycles(program) { RandomWalk(seed: $0) } == 0)
    }

    @Test("is not one in which the scheduler passes over a thread")
    func unfair() throws {
        let text = "atomic x = 0\nthread a { while x.load() == 0 { } }\nthread b { x.store(1) }"
        let program = Program(testDescription: "", text: text)
        #expect(try cycles(program) { _ in FirstOnly() } == 0)
    }
}

/// Always the first thread but the main one.
private final class FirstOnly: Chooser {
    func begin() {}
    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        enabled.first { $0 != 0 } ?? 0
    }
    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? { 0 }
}

/// Stops the execution when it has found a cycle.
private final class CycleWatch: Chooser {
    private let chooser: any Chooser
    private let engine: Engine
    private var cycle = FairCycle()
    private(set) var isFound = false

    init(_ chooser: any Chooser, _ engine: Engine) {
        self.chooser = chooser
        self.engine = engine
    }

    func begin() { chooser.begin() }

    func chooseThread(_ enabled: UnsafeBufferPointer<UInt16>, last: UInt16, state: MachineState) -> UInt16? {
        isFound = cycle.isClosed(by: state, hash: engine.stateHash, enabled: enabled)
        guard !isFound, let thread = chooser.chooseThread(enabled, last: last, state: state) else { return nil }
        cycle.add(thread, ways: state.alternatives(of: Int(thread)))
        return thread
    }

    func chooseAlternative(_ count: Int, of thread: UInt16, state: MachineState) -> Int? {
        chooser.chooseAlternative(count, of: thread, state: state)
    }
}
