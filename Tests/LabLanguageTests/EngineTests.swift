import Execution
import Exploration
import LabLanguage
import Machine
import Testing

@Suite struct EngineTests {
    @Test(arguments: SampleProgram.all + SampleProgram.corners)
    func `the same seed gives the same schedule and verdict with and without fibers`(_ sample: SampleProgram) throws {
        let runner = try LabRunner(sample.text)
        let engine = Engine(runner.bytecode)
        engine.rules.maximumSteps = 10_000
        for seed in 0..<200 {
            let fiber = runner.controlled(seed: UInt64(seed))
            let verdict = engine.run(RandomWalk(seed: UInt64(seed)))
            #expect(verdict == fiber.verdict)
            #expect(engine.schedule.description == fiber.schedule.description)
            let failures = fiber.document.events.filter { $0.kind == .assertionFailed || $0.kind == .noProgress }
            #expect(failures.first.flatMap { fiber.document.text(of: $0) } == engine.failure?.message)
            #expect(failures.first.flatMap { fiber.document.site($0.site) }?.line == engine.failure?.line)
        }
    }

    @Test(arguments: SampleProgram.all + SampleProgram.corners)
    func `from a snapshot a run goes on as it did before`(_ sample: SampleProgram) throws {
        let engine = Engine(try LabRunner(sample.text).bytecode)
        for seed in 0..<20 {
            engine.rules.maximumSteps = seed
            _ = engine.run(RandomWalk(seed: UInt64(seed)))
            guard engine.verdict == .stepLimit else { continue }
            // One choice is counted and not taken: the snapshot is of a run that is given up, so a run that goes on is made.
            let prefix = engine.schedule
            engine.rules.maximumSteps = 10_000
            engine.begin()
            for choice in follow(prefix, engine) { engine.step(choice.thread, way: choice.way) }
            let snapshot = engine.snapshot()
            let hash = engine.stateHash
            let first = (engine.goOn(RandomWalk(seed: 99)), engine.schedule, engine.stateHash)
            engine.restore(snapshot)
            #expect(engine.stateHash == hash)
            let second = (engine.goOn(RandomWalk(seed: 99)), engine.schedule, engine.stateHash)
            #expect(first.0 == second.0)
            #expect(first.1 == second.1)
            #expect(first.2 == second.2)
        }
    }

    private func follow(_ schedule: Schedule, _ engine: Engine) -> [(thread: Int, way: Int)] {
        var steps: [(thread: Int, way: Int)] = []
        for choice in schedule.choices {
            if choice.isAlternative {
                steps[steps.count - 1].way = choice.index
            } else {
                steps.append((choice.index, 0))
            }
        }
        // Time passes at choices that are not in the schedule, and only as far as all steps are enabled is it followed here.
        var enabled: [(thread: Int, way: Int)] = []
        let trial = Engine(engine.bytecode)
        for step in steps {
            guard trial.enabledSteps.contains(where: { $0.thread == step.thread && step.way < max(1, $0.ways) }) else {
                break
            }
            trial.step(step.thread, way: step.way)
            enabled.append(step)
        }
        return enabled
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
