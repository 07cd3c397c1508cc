import Authoring
import CBench
import Execution
import Exploration
import Glibc
import Machine
import Scenarios

/// Steps and executions per second under the controlled scheduler, and whether its memory use stays constant.
enum ControlledBenchmarks {
    static func run() throws {
        print("\ncontrolled, random walk, one core")
        for (name, arguments) in [
            ("deadlock", ["pause": "0"]),
            ("deadlock", ["pause": "0", "variant": "ordered"]),
            ("deadlock", ["pause": "0", "variant": "philosophers"]),
            ("producer-consumer", [:]),
            ("producer-consumer", ["variant": "semaphores"]),
        ] {
            let scenario = Catalogue.builtIn.first { $0.name == name }!.init()
            for (parameter, value) in arguments { precondition(scenario.set(parameter, to: value)) }
            measure(scenario, "\(name) \(arguments["variant"] ?? "")")
        }
        memory()
    }

    private static let rounds = 7
    /// The minimum number of steps in a round.
    private static let leastSteps = 1_000_000

    /// Prints the medians of all rounds.
    private static func measure(_ scenario: any Scenario, _ name: String) {
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: 1))
        var rates: [(executions: Double, steps: Double)] = []
        for _ in 0..<rounds {
            var steps = 0
            var executions = 0
            let time = processorNanoseconds {
                while steps < leastSteps {
                    _ = runtime.run { try scenario.run() }
                    steps += runtime.stepCount
                    executions += 1
                }
            }
            rates.append((Double(executions) / Double(time) * 1e9, Double(steps) / Double(time) * 1e9))
        }
        let executions = decimal(rates.map(\.executions).median, 0).padded(to: 10, right: true)
        let steps = decimal(rates.map(\.steps).median, 0).padded(to: 12, right: true)
        print("  \(name.padded(to: 34))\(executions) executions/s\(steps) steps/s")
    }

    /// Prints the memory use after 10,000 and after a million executions. Nearly a third of them end in a deadlock,
    /// after which the stacks of the blocked threads are unwound.
    private static func memory() {
        let scenario = Catalogue.builtIn.first { $0.name == "deadlock" }!.init()
        precondition(scenario.set("pause", to: "0"))
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: 7))
        var deadlocks = 0
        var sizes: [Int] = []
        for index in 0..<1_000_000 {
            if runtime.run({ try scenario.run() }) == .deadlock { deadlocks += 1 }
            if index == 10_000 || index == 999_999 { sizes.append(residentKilobytes) }
        }
        print(
            "  memory: \(sizes[0]) KiB after 10,000 executions, \(sizes[1]) KiB after 1,000,000, \(deadlocks) of them deadlocked"
        )
    }

    /// The resident memory of this process, in KiB. The kernel counts it in pages of 4 KiB.
    private static var residentKilobytes: Int {
        guard let file = fopen("/proc/self/statm", "re") else { return 0 }
        defer { fclose(file) }
        var total = 0
        var resident = 0
        _ = withUnsafeMutablePointer(to: &total) { total in
            withUnsafeMutablePointer(to: &resident) { resident in
                withVaList([total, resident]) { vfscanf(file, "%ld %ld", $0) }
            }
        }
        return resident * 4
    }
}
