import Execution
import LabLanguage
import Machine
import Testing

@Suite struct EngineTests {
    @Test(arguments: SampleProgram.all + SampleProgram.corners)
    func `the same seed gives the same schedule and verdict with and without fibers`(_ sample: SampleProgram) throws {
        let runner = try LabRunner(sample.text)
        for seed in 0..<200 { #expect(runner.disagreement(seed: UInt64(seed)) == nil) }
    }

    @Test(arguments: SampleProgram.all + SampleProgram.corners)
    func `from a snapshot a run goes on as it did before`(_ sample: SampleProgram) throws {
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
        var stack = [engine.snapshot()]
        while let snapshot = stack.popLast() {
            engine.restore(snapshot)
            var steps = engine.enabledSteps
            if steps.isEmpty && engine.verdict == nil && engine.letTimePass() { steps = engine.enabledSteps }
            if let verdict = engine.verdict { verdicts.insert(verdict) }
            let here = engine.snapshot()
            for (thread, ways) in steps {
                for way in 0..<max(1, ways) {
                    engine.restore(here)
                    engine.step(thread, way: way)
                    if seen.insert(engine.stateHash).inserted { stack.append(engine.snapshot()) }
                }
            }
        }
        return (verdicts, seen.count)
    }
}
