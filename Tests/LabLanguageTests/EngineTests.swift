import Execution
import LabExecution
import Machine
import Support
import Testing

@Suite struct EngineTests {
    @Test(arguments: SampleProgram.all + SampleProgram.corners)
    func `the same seed gives the same schedule and verdict with and without fibers`(_ sample: SampleProgram) throws {
        let runner = try LabRunner(sample.text)
        for seed in 0..<200 { #expect(runner.disagreement(seed: UInt64(seed)) == nil) }
    }

    @Test(arguments: SampleProgram.all + SampleProgram.corners)
    func `from a snapshot a run continues as it did before`(_ sample: SampleProgram) throws {
        let runner = try LabRunner(sample.text)
        for seed in 0..<40 { #expect(runner.snapshotDisagreement(seed: UInt64(seed)) == nil) }
    }

    @Test func `every state of a small program is found by depth-first search`() throws {
        let engine = Engine(try LabRunner(SampleProgram.all[0].text).bytecode)
        #expect(search(engine).verdicts == [.completed, .assertion])
        let peterson = Engine(try LabRunner(SampleProgram.all[3].text).bytecode)
        #expect(search(peterson).verdicts == [.completed])
        let orders = Engine(try LabRunner(SampleProgram.all[1].text).bytecode)
        #expect(search(orders).verdicts == [.completed, .deadlock])
        let buffer = Engine(try LabRunner(SampleProgram.all[2].text).bytecode)
        #expect(search(buffer).verdicts == [.completed, .deadlock])
    }

    private func search(_ engine: Engine) -> (verdicts: Set<Verdict>, states: Int) {
        var seen: Set<UInt64> = []
        var verdicts: Set<Verdict> = []
        engine.begin()
        engine.keepState(0)
        var stack = [0]
        var count = 1
        while let number = stack.popLast() {
            engine.goBack(toState: number)
            var steps = engine.enabledSteps
            if steps.isEmpty && engine.verdict == nil && engine.letTimePass() { steps = engine.enabledSteps }
            if steps.isEmpty { verdicts.insert(engine.verdict ?? .deadlock) }
            engine.keepState(number)
            for (thread, ways) in steps {
                for way in 0..<max(1, ways) {
                    engine.goBack(toState: number)
                    engine.step(thread, way: way)
                    guard seen.insert(engine.stateHash).inserted else { continue }
                    engine.keepState(count)
                    stack.append(count)
                    count += 1
                }
            }
        }
        return (verdicts, seen.count)
    }
}
