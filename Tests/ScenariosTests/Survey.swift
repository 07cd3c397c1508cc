import Authoring
import Execution
import Exploration
import Machine
import Scenarios
import Testing
import Trace

/// A scenario's name with the arguments that it is to run with.
struct Setting: CustomTestStringConvertible {
    var scenario: String
    var arguments: [(name: String, value: String)] = []

    /// `Setting("deadlock --variant ring --threads 4")`
    init(_ line: String) {
        var words = line.split(separator: " ").map(String.init)
        scenario = words.removeFirst()
        while words.count >= 2 {
            let option = words.removeFirst()
            arguments.append((String(option.dropFirst(2)), words.removeFirst()))
        }
    }

    var testDescription: String {
        ([scenario] + arguments.map { "--\($0.name) \($0.value)" }).joined(separator: " ")
    }

    func make() throws -> any Scenario {
        let type = try #require(Catalogue.builtIn.first { $0.name == scenario })
        let made = type.init()
        for argument in arguments {
            #expect(made.set(argument.name, to: argument.value), "\(argument) is refused")
        }
        return made
    }
}

/// The outcomes of a number of random executions.
struct Survey {
    private(set) var counts: [OutcomeKind: Int] = [:]
    /// One schedule for each outcome that was found.
    private(set) var examples: [OutcomeKind: Schedule] = [:]
    /// The number of executions without an outcome: too long, or not reproducible.
    private(set) var strays = 0
    let executions: Int

    init(_ setting: Setting, executions: Int = 2000, seed: UInt64 = 1, spuriousWakeups: Int = 0) throws {
        self.executions = executions
        let scenario = try setting.make()
        let rules = Rules(maximumSteps: 100_000, spuriousWakeups: spuriousWakeups)
        let runtime = ControlledRuntime(chooser: RandomWalk(seed: seed), rules: rules)
        for _ in 0..<executions {
            guard let outcome = scenario.outcome(on: runtime) else {
                strays += 1
                continue
            }
            counts[outcome, default: 0] += 1
            if examples[outcome] == nil { examples[outcome] = runtime.schedule }
        }
    }

    /// The share of the executions with this outcome.
    func rate(of outcome: OutcomeKind) -> Double { Double(counts[outcome] ?? 0) / Double(executions) }
}

extension Scenario {
    /// Runs the scenario once, and reviews what is left if it came to its end.
    func outcome(on runtime: ControlledRuntime) -> OutcomeKind? {
        runtime.records = ModelRecords()
        let verdict = runtime.run { try run() }
        guard verdict == .completed || verdict == .leak else { return verdict.outcome }
        do { try review(Remains(runtime.records)) } catch { return .assertion }
        return verdict.outcome
    }
}

extension Setting {
    /// The trace of the scenario under a schedule.
    func trace(of schedule: Schedule) throws -> TraceDocument { try trace(Replay(schedule)) }

    func trace(seed: UInt64) throws -> TraceDocument { try trace(RandomWalk(seed: seed)) }

    private func trace(_ chooser: any Chooser) throws -> TraceDocument {
        let sink = DocumentSink(header: TraceHeader(scenario: scenario, runtime: .controlled))
        let scenario = try make()
        let runtime = ControlledRuntime(chooser: chooser, journal: Journal(into: sink))
        _ = runtime.run { try scenario.run() }
        return sink.document
    }
}

extension TraceDocument {
    /// The texts of all events of a kind, in order.
    func texts(of kind: EventKind) -> [String] { texts(of: kind.name) }

    /// The texts of the events of this name.
    func texts(of name: String) -> [String] { events.filter { self.name(of: $0) == name }.compactMap { text(of: $0) } }

    /// The last event of each thread.
    var lastEvents: [Event] {
        var last: [ThreadID: Event] = [:]
        for event in events { last[event.thread] = event }
        return last.values.sorted { $0.thread.index < $1.thread.index }
    }
}
