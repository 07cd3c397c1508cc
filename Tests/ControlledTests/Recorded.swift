import Execution
import Exploration
import Machine
import Trace

/// A controlled execution with everything that it recorded.
struct Recorded {
    let verdict: Verdict
    let schedule: Schedule
    let document: TraceDocument

    init(
        _ chooser: any Chooser = Replay(Schedule()), rules: Rules = .init(),
        _ body: @escaping () throws -> Void
    ) {
        let sink = DocumentSink(header: TraceHeader(scenario: "test", runtime: .controlled))
        let runtime = ControlledRuntime(chooser: chooser, rules: rules, journal: Journal(into: sink))
        verdict = runtime.run(body)
        schedule = runtime.schedule
        document = sink.document
    }

    var kinds: [EventKind] { document.events.map(\.kind) }

    /// The texts of the events of a kind.
    func texts(_ kind: EventKind) -> [String] {
        document.events.filter { $0.kind == kind }.compactMap { document.text(of: $0) }
    }
}

/// A value without races, since one OS thread runs all its users.
final class Plain<Value>: @unchecked Sendable {
    var value: Value

    init(_ value: Value) { self.value = value }
}

struct Failure: Error {}
