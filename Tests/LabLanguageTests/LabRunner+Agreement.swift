import Exploration
import LabExecution
import Machine
import Support
import Trace

extension LabRunner {
    /// Runs with the same choices with and without fibers.
    ///
    /// - Returns: where the two runs differ. Nil: nowhere.
    func disagreement(seed: UInt64, rules: Rules = rules) -> String? {
        let fiber = controlled(seed: seed, rules: rules)
        let engine = Engine(bytecode)
        engine.rules = rules
        let verdict = engine.run(RandomWalk(seed: seed))
        if verdict != fiber.verdict { return "\(verdict) without fibers, \(fiber.verdict) with them" }
        if engine.schedule != fiber.schedule { return "\(engine.schedule) without fibers, \(fiber.schedule) with them" }
        // Of several claims that do not hold, one that the program calls broken is never the reason for the verdict.
        let failures = fiber.document.events.filter {
            [.assertionFailed, .claimFailed, .claimBroken, .noProgress, .threadError].contains($0.kind)
        }
        let failure = failures.first { $0.kind != .claimBroken } ?? failures.first
        let message = failure.flatMap { fiber.document.text(of: $0) }
        let line = failure.flatMap { fiber.document.site($0.site) }?.line
        // An event shows the values too that the condition has read.
        let isSame =
            engine.failure.map { failure in
                message?.hasPrefix(failure.message) == true
                    || failure.message.contains("'outcomes'") && message?.contains("'outcomes'") == true
            } ?? (message == nil)
        if !isSame || engine.failure?.line != line {
            return "\(engine.failure.map { "\($0)" } ?? "no failure") without fibers, "
                + "\(message ?? "no failure") in line \(line ?? 0) with them"
        }
        return nil
    }

    /// Takes some steps at random, and continues from there twice.
    ///
    /// - Returns: how the second time differs from the first. Nil: it does not.
    func snapshotDisagreement(seed: UInt64, rules: Rules = rules) -> String? {
        var generator = SplitMix64(seed: seed)
        let engine = Engine(bytecode)
        engine.rules = rules
        engine.begin()
        for _ in 0..<Int.random(in: 0..<40, using: &generator) {
            if let (thread, ways) = engine.enabledSteps.randomElement(using: &generator) {
                engine.step(thread, way: Int.random(in: 0..<max(1, ways), using: &generator))
            } else if engine.verdict != nil || !engine.letTimePass() {
                break
            }
        }
        engine.keepState(0)
        let hash = engine.stateHash
        let first = (engine.goOn(RandomWalk(seed: seed)), engine.schedule, engine.stateHash)
        engine.goBack(toState: 0)
        if engine.stateHash != hash { return "another state than that of the snapshot" }
        let second = (engine.goOn(RandomWalk(seed: seed)), engine.schedule, engine.stateHash)
        return first == second ? nil : "first \(first), then \(second)"
    }
}
