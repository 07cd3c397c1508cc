import Authoring
import Diagnosis
import Reports
import Text
import Trace

/// The diagnosis of a saved trace, for people and for scripts.
struct TraceDiagnosis {
    let findings: [Finding]
    private let trace: TraceDocument
    private let path: String
    private let outcome: Outcome
    private let scenario: (any Runnable)?

    init(_ trace: TraceDocument, _ path: String, _ selection: FindingSelection, _ session: Session) {
        self.trace = trace
        self.path = path
        // The trace may come from any program and any time; its scenario may not exist here.
        scenario = try? session.configured(
            trace.header.scenario, trace.header.parameters.map { ($0.name, $0.value) })
        var examination = Examination(judgesLockOrder: scenario?.judgesLockOrder ?? false)
        examination.consume(trace.events[...])
        let words = Names(trace)
        outcome = examination.outcome(in: words)
        findings = examination.findings(in: words).filter(selection.includes)
    }

    /// - Parameter isNamed: whether to print the file's name first.
    func writeText(_ options: ReportOptions, isNamed: Bool, to sink: inout ByteSink) {
        var options = options
        options.source = SourceLines(scenario).text
        if isNamed {
            sink.write("\(path.printable):")
            sink.endLine()
        }
        for (index, finding) in findings.enumerated() {
            if index > 0 { sink.endLine() }
            Statement(finding, in: trace, options).write(options, to: &sink)
        }
        guard findings.isEmpty else { return }
        sink.write("No findings in \(Names.count(trace.events.count, "event")). \(outcome.summary.printable)")
        sink.endLine()
    }

    /// One line.
    func writeJSON(to sink: inout ByteSink) {
        sink.writeLine { json in
            json.member("trace", path)
            json.member("scenario", trace.header.scenario)
            json.member("events", trace.events.count)
            json.member("outcome", outcome.kind.rawValue)
            json.objects("findings", findings) { FindingJSON(trace).write($0, to: &$1) }
        }
    }
}
