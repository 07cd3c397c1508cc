import Diagnosis
import Trace

/// The formats in which a trace can be shown. The raw value is the word on the command line.
package enum ReportFormat: String, CaseIterable, Sendable {
    /// One line per event.
    case text
    /// One column per thread, one row per step.
    case lanes
    /// The saved trace format, with a line for each finding.
    case json
    /// Only the end of a report: how the run ended, other findings, and figures.
    case none

    package func write(_ trace: TraceDocument, _ options: ReportOptions = .init(), to sink: inout ByteSink) {
        switch self {
        case .text: TextReport(trace, options).write(to: &sink)
        case .lanes: LanesReport(trace, options).write(to: &sink)
        case .json: writeJSON(trace, options.findings, to: &sink)
        case .none: Summary(trace: trace, options: options).write(to: &sink, isAlone: true)
        }
    }

    private func writeJSON(_ trace: TraceDocument, _ findings: [Finding], to sink: inout ByteSink) {
        TraceWriter.write(trace, to: &sink) { sink in
            let json = FindingJSON(trace)
            let deciding = findings.firstIndex { $0 == Finding.deciding(trace.outcome, among: findings) }
            for (index, finding) in findings.enumerated() {
                sink.writeLine { $0.object("finding") { json.write(finding, isDeciding: index == deciding, to: &$0) } }
            }
        }
    }
}

/// Findings for scripts, a JSON object for each.
package struct FindingJSON {
    private let trace: TraceDocument

    package init(_ trace: TraceDocument) { self.trace = trace }

    /// Writes the members of a finding.
    ///
    /// - Parameter isDeciding: whether it decides how the run ended: then it has an account.
    package func write(_ finding: Finding, isDeciding: Bool = false, to json: inout JSONObject) {
        json.member("code", finding.code.rawValue)
        json.member("name", finding.code.name)
        json.member("severity", finding.severity.rawValue)
        json.member("summary", finding.summary)
        json.array("story", finding.story)
        json.member("advice", finding.advice)
        json.array("threads", finding.threads.map(trace.name))
        json.array("objects", finding.objects.map { trace.object($0)?.name ?? "" })
        json.array("sites", finding.sites.compactMap(trace.site).map { "\($0.file):\($0.line)" })
        if isDeciding {
            json.objects("account", AccountRow.all(of: finding, in: trace)) { $0.write(to: &$1) }
        }
    }
}
