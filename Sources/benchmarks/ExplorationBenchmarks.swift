import Execution
import Exploration
import LabLanguage
import Machine
import Primitives
import Scenarios

/// Steps and executions a second of each strategy, on Swift scenarios and on the same programs as `.lab`.
enum ExplorationBenchmarks {
    static func run() throws {
        print("\nexploration, one core")
        for (name, text) in programs {
            let bytecode = try SourceText(name: "benchmark.lab", "scenario \"benchmark\"\n" + text).read().program!
                .compiled()
            measure("\(name), .lab", Engine(bytecode))
        }
        for (name, body) in bodies { measure("\(name), Swift", ControlledSubject(Rules(), body: body)) }
    }

    /// The `.lab` program of this name and nothing else, for a profiler.
    static func profile(_ name: String) throws {
        guard let text = programs.first(where: { $0.0 == name })?.1 else { return }
        let program = SourceText(name: "benchmark.lab", "scenario \"benchmark\"\n" + text).read().program!
        let engine = Engine(try program.compiled())
        let walk = RandomWalk(seed: 1)
        for number in 0..<20_000 where walk.prepare(number) { _ = walk.execute(engine) }
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

    private static func measure(_ name: String, _ subject: any Subject) {
        print("  \(name)")
        for strategy in StrategyUnderTest.all {
            measure(strategy.name, subject) { strategy.make(1, Rules()) }
        }
        measure("random, races", subject) { RaceWatch(RandomWalk(seed: 1)) }
        measure("random, traces", subject) { TraceWatch(RandomWalk(seed: 1)) }
    }

    private static func measure(_ name: String, _ subject: any Subject, _ make: () -> any Strategy) {
        var rates: [(executions: Double, steps: Double)] = []
        for _ in 0..<7 {
            let strategy = make()
            var steps = 0
            var executions = 0
            var isOver = false
            let time = processorNanoseconds {
                while steps < 500_000 {
                    guard strategy.prepare(executions) else {
                        isOver = true
                        return
                    }
                    _ = strategy.execute(subject)
                    steps += subject.stepCount
                    executions += 1
                }
            }
            // So few are no measure.
            if isOver && executions < 1000 {
                return print("    \(name.padded(to: 32))is over after \(executions) executions")
            }
            rates.append((Double(executions) / Double(time) * 1e9, Double(steps) / Double(time) * 1e9))
        }
        let executions = decimal(rates.map(\.executions).median, 0).padded(to: 10, right: true)
        let steps = decimal(rates.map(\.steps).median, 0).padded(to: 12, right: true)
        print("    \(name.padded(to: 32))\(executions) executions/s\(steps) steps/s")
    }
}
