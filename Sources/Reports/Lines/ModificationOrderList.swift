import Diagnosis
import Trace

/// The writes of each atomic in modification order, as the end of a report lists them.
struct ModificationOrderList {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let cast: Cast

    /// The maximum number of writes that are listed for an atomic: the last ones.
    private static let most = 20

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
    }

    func write(to sink: inout ByteSink) {
        sink.endLine()
        var line = Line(options)
        line.put(Label("modification order:"), at: 0, .bold, to: &sink)
        line.end(to: &sink)
        let lines = self.lines
        for text in lines.isEmpty ? [Label("no atomic was written")] : lines {
            for (number, piece) in text.pieces(within: max(options.width - 4, 20)).enumerated() {
                line.put(piece, at: number == 0 ? 2 : 4, to: &sink)
                line.end(to: &sink)
            }
        }
    }

    /// For example `x: the initial value, then 2 (right at line 12), then 1 (left at line 6)`.
    private var lines: [Label] {
        var steps = WeakSteps(isStrong: trace.header.memoryModel == nil)
        var objects: Set<ObjectID> = []
        for event in trace.events {
            steps.consume(event)
            if event.kind.isOfAtomic && event.kind.effect.isWrite { objects.insert(event.object) }
        }
        return objects.filter { !trace.isInside($0) }.sorted().map { object in
            let writes = steps.writes(of: object)
            let omitted = max(0, writes.count - Self.most)
            let start = omitted == 0 ? "the initial value" : Names.count(omitted, "earlier write")
            return writes.dropFirst(omitted).reduce(cast.object(object) + Label(": \(start)")) { line, number in
                line + Label(", then ") + words(trace.events[number])
            }
        }
    }

    private func words(_ write: Event) -> Label {
        let place = cast.words(at: write.site)
        return cast.value(of: write) + Label(" (") + cast.thread(write.thread) + place + Label(")")
    }
}
