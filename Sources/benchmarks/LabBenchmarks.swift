import Execution
import Exploration
import LabExecution
import LabProgram
import LabSyntax

/// Steps and executions per second of `.lab` programs, which are compiled to bytecode. "Flat" is `Engine`, which
/// interprets all threads in one loop, without stacks of their own. "Fibers" is the runtime of Swift scenarios, in
/// which each thread has a fiber that interprets its code.
enum LabBenchmarks {
    private static let programs: [(name: String, text: String)] = [
        (
            "lost update",
            """
            scenario "lost update"
            shared count = 0
            thread adder[2] { let seen = count; count = seen + 1 }
            """
        ),
        (
            "bounded buffer",
            """
            scenario "bounded buffer"
            parameter items = 50
            mutex m
            condition changed with m
            shared buffer = []
            thread producer[2] {
                for i in 0..<items {
                    lock m {
                        while buffer.count == 2 { changed.wait() }
                        buffer.append(i)
                        changed.broadcast()
                    }
                }
            }
            thread consumer[2] {
                for i in 0..<items {
                    lock m {
                        while buffer.count == 0 { changed.wait() }
                        let item = buffer.removeFirst()
                        changed.broadcast()
                    }
                }
            }
            """
        ),
        (
            "peterson, 100 rounds",
            """
            scenario "peterson"
            atomic flag[2] = false, turn = 0
            shared inside = 0
            thread worker[2] {
                let other = 1 - index
                repeat 100 {
                    flag[index].store(true)
                    turn.store(other)
                    await !(flag[other].load() && turn.load() == other)
                    inside = inside + 1
                    assert inside == 1
                    inside = inside - 1
                    flag[index].store(false)
                }
            }
            """
        ),
    ]

    static func run() throws {
        print("\n.lab programs, random walk, one core")
        for (name, text) in programs {
            guard let program = SourceText(name: name, text).read().program else { preconditionFailure(name) }
            let bytecode = try program.compiled()
            let engine = Engine(bytecode)
            let chooser = RandomWalk(seed: 1)
            measure("\(name), flat") {
                _ = engine.run(chooser)
                return engine.stepCount
            }
            let runtime = ControlledRuntime(chooser: chooser)
            let lab = InterpretedProgram(bytecode)
            measure("\(name), fibers") {
                _ = runtime.run { try lab.run() }
                return runtime.stepCount
            }
        }
    }

    private static let rounds = 7
    /// The minimum number of steps in a round.
    private static let leastSteps = 1_000_000

    /// Prints the medians of all rounds.
    ///
    /// - Parameter execution: executes the program once, and returns the number of its steps.
    private static func measure(_ name: String, _ execution: () -> Int) {
        var rates: [(executions: Double, steps: Double)] = []
        for _ in 0..<rounds {
            var steps = 0
            var executions = 0
            let time = processorNanoseconds {
                while steps < leastSteps {
                    steps += execution()
                    executions += 1
                }
            }
            rates.append((Double(executions) / Double(time) * 1e9, Double(steps) / Double(time) * 1e9))
        }
        let executions = decimal(rates.map(\.executions).median, 0).padded(to: 10, right: true)
        let steps = decimal(rates.map(\.steps).median, 0).padded(to: 12, right: true)
        print("  \(name.padded(to: 34))\(executions) executions/s\(steps) steps/s")
    }
}
