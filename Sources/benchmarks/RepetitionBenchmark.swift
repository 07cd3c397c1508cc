import Authoring
import LabExecution
import LabProgram
import LabSyntax
import Machine
import Scenarios
import Supervision
import Trace

/// The throughput of `run --runs` with a seed: runs per second on all processors together, in real time. The time
/// includes starting and supervising the processes.
enum RepetitionBenchmark {
    static func run() throws {
        print("\nrepetition, one process per processor")
        try measure("deadlock", scenario("deadlock"), count: 200_000)
        try measure("deadlock --pause 0", scenario("deadlock", ["pause": "0"]), count: 200_000)
        try measure("producer-consumer", scenario("producer-consumer"), count: 20_000)
        try measure("a .lab program, two threads that each add one", counter(), count: 500_000)
    }

    private static func scenario(_ name: String, _ arguments: [String: String] = [:]) -> any Runnable {
        let scenario = Catalogue.builtIn.first { $0.name == name }!.init()
        for (name, value) in arguments { precondition(scenario.set(name, to: value)) }
        return ScenarioProgram(scenario)
    }

    private static func counter() throws -> any Runnable {
        let text = "scenario \"x\"\nshared x = 0\nthread t[2] { x += 1 }\n"
        return try LabFile(SourceText(name: "benchmark.lab", text).read().program!, scenarios: []).configured([])
    }

    private static func measure(_ name: String, _ scenario: any Runnable, count: Int) throws {
        let plan = RepetitionPlan(
            scenario, rules: Rules(maximumSteps: RunPlan.defaultMaximumSteps), seed: 1, count: count,
            timeout: RunPlan.defaultTimeout, jobs: Processors.count)
        let rates = try (0..<5).map { _ in
            let begin = RecordingClock.nanoseconds()
            let result = try RepetitionSupervisor.run(plan)
            precondition(result.tally.count == count)
            return Double(count) / Double(RecordingClock.nanoseconds() - begin) * 1e9
        }
        print("  \(name.padded(to: 48))\(decimal(rates.median, 0).padded(to: 10, right: true)) runs/s")
    }
}
