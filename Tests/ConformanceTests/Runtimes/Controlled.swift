import Execution
import Exploration
import Machine
import Trace

/// The controlled runtime, under the schedule of a chooser.
struct Controlled: RuntimeUnderTest {
    private let runtime: ControlledRuntime
    private let spuriousWakeups: Int

    init(_ chooser: any Chooser, spuriousWakeups: Int = 0) {
        self.spuriousWakeups = spuriousWakeups
        runtime = ControlledRuntime(chooser: chooser, rules: Self.rules(spuriousWakeups))
    }

    func run(_ body: @escaping @Sendable () throws -> Void) -> RunResult {
        runtime.records = ModelRecords()
        let verdict = runtime.run(body)
        let schedule = runtime.schedule
        guard verdict == .misuse else { return RunResult(ending: Self.ending(verdict), story: "\(schedule)") }
        // Only the events show which misuse it was.
        let document = Self.replay(schedule, spuriousWakeups, body)
        return RunResult(ending: .misuse(Story.misuse(in: document)), story: "\(schedule)")
    }

    /// The events of a schedule, one per line.
    static func story(
        of schedule: String, _ spuriousWakeups: Int, _ body: @escaping @Sendable () throws -> Void
    ) -> String {
        guard let schedule = try? Schedule(parsing: schedule) else { return schedule }
        return "schedule \(schedule)\n\(Story.text(of: replay(schedule, spuriousWakeups, body)))"
    }

    private static func replay(
        _ schedule: Schedule, _ spuriousWakeups: Int, _ body: @escaping @Sendable () throws -> Void
    ) -> TraceDocument {
        let sink = DocumentSink(header: TraceHeader(scenario: "case", runtime: .controlled))
        let runtime = ControlledRuntime(
            chooser: Replay(schedule), rules: rules(spuriousWakeups), journal: Journal(into: sink))
        _ = runtime.run(body)
        return sink.document
    }

    private static func rules(_ spuriousWakeups: Int) -> Rules {
        .init(maximumSteps: 20_000, spuriousWakeups: spuriousWakeups)
    }

    private static func ending(_ verdict: Verdict) -> Ending {
        switch verdict {
        case .completed: .completed
        case .deadlock: .deadlock
        case .assertion: .assertion
        case .livelock: .livelock
        case .error: .error
        case .leak: .leak
        case .misuse, .stepLimit, .endless, .starvation, .forever, .foreignThread, .stopped, .race, .crash, .hang,
            .claim,
            .brokenClaim:
            .other("\(verdict)")
        }
    }
}
