import Exploration
import LabExecution
import Machine

/// The ways in which a program's executions end, cut short or not.
struct Endings: Equatable {
    struct Ending: Hashable {
        var verdict: Verdict
        /// The place of its failure, if it failed.
        var place: Int
        var memory: [MemoryWord]
        /// For a run that nothing cut short: the threads that cannot continue.
        var blocked: [Int]
    }

    var endings: Set<Ending> = []
    var executions = 0

    static func == (one: Endings, other: Endings) -> Bool { one.endings == other.endings }

    /// Nil: there are more executions than the limit.
    init?(_ engine: Engine, _ strategy: any Strategy, limit: Int) {
        while strategy.prepare(executions) {
            let verdict = strategy.execute(engine)
            executions += 1
            if executions > limit { return nil }
            if verdict != .stopped { endings.insert(Self.ending(of: engine, verdict)) }
        }
    }

    static func ending(of engine: Engine, _ verdict: Verdict) -> Ending {
        let machine = engine.machine
        // A cycle ends the run whatever the others could still do, whether or not they reach the same blocked state.
        let isCutShort = engine.rules.endsAtCycles && (0..<machine.threadCount).contains { machine.isInCycle($0) }
        let isDeadlock = verdict == .deadlock && !isCutShort
        let blocked = (1..<machine.threadCount).filter { isDeadlock && !machine.hasEnded($0) }
        let failures: [Verdict] = [.assertion, .claim, .brokenClaim, .misuse, .error, .deadlock]
        return Ending(
            verdict: verdict, place: failures.contains(verdict) ? engine.place : 0, memory: machine.memory,
            blocked: blocked)
    }
}
