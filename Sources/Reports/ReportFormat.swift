import Diagnosis
import Trace

/// What a trace can be shown as. The raw value is the word that the command line uses.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// A line an event.
    case text
    /// A column a thread, a row a step.
    case lanes
    /// The saved trace format, and a line for each finding.
    case json
    /// How it ended, and nothing else.
    case none

    package func write(_ trace: TraceDocument, _ options: ReportOptions = .init(), to sink: inout ByteSink) {
        switch self {
        case .text: TextReport(trace, options).write(to: &sink)
        case .lanes: LanesReport(trace, options).write(to: &sink)
        case .json: writeJSON(trace, options.findings, to: &sink)
        case .none: Summary(trace: trace, options: options).write(to: &sink, isApart: false)
        }
    }

    private func writeJSON(_ trace: TraceDocument, _ findings: [Finding], to sink: inout ByteSink) {
        TraceWriter.write(trace, to: &sink) { sink in
            let json = FindingJSON(trace)
            for finding in findings {
                sink.write("{\"finding\":")
                json.write(finding, to: &sink)
                sink.write("}")
                sink.endLine()
            }
        }
    }
}
