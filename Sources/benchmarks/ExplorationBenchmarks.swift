import Authoring
import Execution
import Exploration
import LabExecution
import LabProgram
import LabSyntax
import Machine
import Primitives
import Scenarios

/// Steps and executions per second of each strategy, on Swift scenarios and on the same programs as `.lab`.
enum ExplorationBenchmarks {
    static func run() throws {
        print("\nexploration, one core")
        for (name, subject) in try subjects() { measure(name, subject) }
    }

    /// `benchmarks walk`: only a random walk, for a quick look or a profiler.
    ///
    /// - Parameter words: a part of the names of the programs to run. Empty: all are run.
    static func walk(_ words: String) throws {
        for (name, subject) in try subjects() where words.isEmpty || name.contains(words) {
            measure(name, subject) { RandomWalk(seed: 1) }
        }
    }

    private static func subjects() throws -> [(String, any Subject)] {
        let engines = try programs.map { name, text in
            let source = SourceText(name: "benchmark.lab", "scenario \"benchmark\"\n" + text)
            return ("\(name), .lab", Engine(try source.read().program!.compiled()) as any Subject)
        }
        return engines + bodies.map { name, body in ("\(name), Swift", ControlledSubject(Rules(), body: body)) }
    }

    private static let programs = [
        (
            "two threads, two locks",
            "mutex a, b\nthread p { lock a { lock b { } } }\nthread q { lock b { lock a { } } }"
        ),
        ("philosophers 3", philosophers(3)),
        ("philosophers 4", philosophers(4)),
        (
            "producers and consumers 2/2",
            """
            mutex m
            condition notEmpty, notFull with m
            shared buffer = []
            thread producer[2] {
                for i in 0..<2 { lock m { while buffer.count == 1 { notFull.wait() }; buffer.append(i); notEmpty.signal() } }
            }
            thread consumer[2] {
                repeat 2 { lock m { while buffer.count == 0 { notEmpty.wait() }; buffer.removeFirst(); notFull.signal() } }
            }
            """
        ),
        ("counter 3×3", "shared x = 0\nmutex m\nthread t[3] { repeat 3 { lock m { x += 1 } } }"),
    ]

    private static func philosophers(_ n: Int) -> String {
        "mutex fork[\(n)]\nthread philosopher[\(n)] { lock fork[index] { lock fork[(index + 1) % \(n)] { } } }"
    }

    /// The same programs in Swift.
    private static var bodies: [(String, () throws -> Void)] {
        [
            ("two threads, two locks", scenario("deadlock", ["pause": "0"])),
            ("philosophers 3", scenario("deadlock", ["pause": "0", "variant": "philosophers"])),
            ("philosophers 4", scenario("deadlock", ["pause": "0", "variant": "philosophers", "threads": "4"])),
            ("producers and consumers 2/2", scenario("producer-consumer", ["items": "2"])),
            ("counter 3×3", countTogether),
        ]
    }

    private static func scenario(_ name: String, _ arguments: [String: String]) -> () throws -> Void {
        let scenario = Catalogue.builtIn.first { $0.name == name }!.init()
        for (name, value) in arguments { precondition(scenario.set(name, to: value)) }
        return { try scenario.run() }
    }

    private static func countTogether() throws {
        let count = Shared("x", 0)
        let mutex = Mutex("m")
        let threads = try (0..<3).map { _ in
            try Thread {
                for _ in 0..<3 { try mutex.withLock { try count.update { $0 + 1 } } }
            }
        }
        for thread in threads { try thread.join() }
    }

    /// Measures all strategies, and then a random walk whose executions are also searched for data races, or compared
    /// as partial orders.
    private static func measure(_ name: String, _ subject: any Subject) {
        print("  \(name)")
        for strategy in StrategyUnderTest.all {
            measure(strategy.name, subject) { strategy.make(1, Rules()) }
        }
        subject.observers = [RaceWatch()]
        measure("random, races", subject) { RandomWalk(seed: 1) }
        subject.observers = [TraceWatch()]
        measure("random, traces", subject) { RandomWalk(seed: 1) }
        subject.observers = []
    }

    private static let rounds = 7
    /// The minimum number of steps in a round, unless the strategy has tried everything.
    private static let leastSteps = 500_000
    /// The rates of fewer executions would not be exact.
    private static let leastExecutions = 1000

    /// Prints the medians of all rounds.
    private static func measure(_ name: String, _ subject: any Subject, _ make: () -> any Strategy) {
        var rates: [(executions: Double, steps: Double)] = []
        for _ in 0..<rounds {
            let strategy = make()
            var steps = 0
            var executions = 0
            var isOver = false
            let time = processorNanoseconds {
                while steps < leastSteps {
                    guard strategy.prepare(executions) else {
                        isOver = true
                        return
                    }
                    _ = strategy.execute(subject)
                    steps += subject.stepCount
                    executions += 1
                }
            }
            if isOver && executions < leastExecutions {
                return print("    \(name.padded(to: 32))is complete after \(executions) executions")
            }
            rates.append((Double(executions) / Double(time) * 1e9, Double(steps) / Double(time) * 1e9))
        }
        let executions = decimal(rates.map(\.executions).median, 0).padded(to: 10, right: true)
        let steps = decimal(rates.map(\.steps).median, 0).padded(to: 12, right: true)
        print("    \(name.padded(to: 32))\(executions) executions/s\(steps) steps/s")
    }
}
