import Authoring
import Execution
import Primitives
import Scenarios
import Supervision
import Trace

/// The cost of watching a run on real threads. The program is `producer-consumer` with a million items. It is recorded,
/// and examined by the detectors of races and deadlocks, or by all detectors. `make overhead` measures the same program
/// in plain C, and with other tools.
enum DetectionBenchmarks {
    /// The number of items that the two producers make together.
    private static let items = 1_000_000

    static func run() throws {
        // With room for one item a run takes half a minute, nearly all of it waiting, so there is only one round.
        for (capacity, rounds) in [(1, 1), (16, 5), (64, 5)] {
            let scenario = makeScenario(capacity)
            try Benchmark(
                title: "producer-consumer, \(items) items through a buffer for \(capacity)", count: items,
                rounds: rounds,
                contenders: [
                    Contender(name: "recorded, races and deadlocks") { _ in try watched(scenario, isExamined: false) },
                    Contender(name: "recorded, every detector") { _ in try watched(scenario, isExamined: true) },
                ]
            ).run()
        }
    }

    private static func makeScenario(_ capacity: Int) -> ScenarioProgram {
        let scenario = Catalogue.builtIn.first { $0.name == "producer-consumer" }!.init()
        for (name, value) in [("producers", 2), ("consumers", 2), ("items", items / 2), ("capacity", capacity)] {
            precondition(scenario.set(name, to: "\(value)", beyondRange: true), "no parameter \(name)")
        }
        return ScenarioProgram(scenario)
    }

    /// The time of all that `threadlab run` does except its output, up to the complete diagnosis of the run.
    private static func watched(_ scenario: ScenarioProgram, isExamined: Bool) throws -> UInt64 {
        // The time limit is ten minutes.
        var plan = RunPlan(scenario, .native, timeout: 600_000_000_000)
        plan.isExamined = isExamined
        return try nanoseconds {
            let outcome = try Supervisor.run(plan).trace.outcome
            if outcome?.kind != .completed { fatalError("unexpected end of the run: \(outcome.map { "\($0)" } ?? "")") }
        }
    }
}
