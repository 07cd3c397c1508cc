import Trace

/// The first lines of a report: what was run, and how.
struct Title {
    let trace: TraceDocument
    let options: ReportOptions

    func write(to sink: inout ByteSink) {
        let header = trace.header
        var parts = header.parameters.map { "\($0.name)=\($0.value)" }
        parts.append(header.runtime.rawValue)
        if let seed = header.seed { parts.append("seed \(seed)") }
        var line = Line(options)
        let name = Label(header.scenario, ascii: options.ascii)
        line.put(name, at: 0, .bold, to: &sink)
        let indent = name.width + 2
        let details = Label(parts.joined(separator: ", "), ascii: options.ascii)
        for piece in details.pieces(within: max(options.width - indent, 20)) {
            line.put(piece, at: indent, .dim, to: &sink)
            line.end(to: &sink)
        }
        line.end(to: &sink)
        guard trace.dropped > 0 else { return }
        let text = "\(trace.dropped) more events were dropped: the run exceeded the capacity of a trace."
        line.put(Label(text), at: 0, .dim, to: &sink)
        line.end(to: &sink)
    }
}
