import Diagnosis
import Trace

/// The names used by a trace's events, made safe to show once rather than for each event.
struct Cast {
    let threads: [Label]
    private let objects: [Label]
    private let trace: TraceDocument
    private let ascii: Bool

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        self.trace = trace
        let ascii = options.ascii
        self.ascii = ascii
        threads = trace.threads.map { Label(Names.visible($0.name), ascii: ascii) }
        objects = trace.objects.map { Label($0.map { Names.visible($0.name) } ?? "", ascii: ascii) }
    }

    func label(_ text: String) -> Label { Label(text, ascii: ascii) }

    func thread(_ id: ThreadID) -> Label {
        let index = Int(id.index)
        return threads.indices.contains(index) ? threads[index] : label(trace.name(of: id))
    }

    /// Whether it is an object whose references are counted.
    func isCounted(_ id: ObjectID) -> Bool { trace.object(id)?.kind == .managedObject }

    func object(_ id: ObjectID) -> Label {
        let index = Int(id.index)
        return objects.indices.contains(index) ? objects[index] : label("object \(index)")
    }

    func text(of event: Event) -> Label { label(trace.text(of: event) ?? "") }
}
