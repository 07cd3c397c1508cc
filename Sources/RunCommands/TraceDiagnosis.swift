import Arguments
import Authoring
import Console
import Diagnosis
import Reports
import Text
import Trace

/// The findings of a saved trace, which `trace --findings` prints as text or as a line of JSON.
struct TraceDiagnosis {
    let findings: [Finding]
    private let trace: TraceDocument
    private let path: String
    /// The outcome. Nil: the trace is too large to be examined whole, so only its beginning is known.
    private let outcome: Outcome?
    private let scenario: (any Runnable)?

    init(_ trace: TraceDocument, _ path: String, _ selection: FindingSelection, _ session: Session) {
        self.trace = trace
        self.path = path
        // The trace may come from any program and any time, so its scenario may not exist here.
        scenario = session.shownProgram(of: trace.header)
        var examination = Examination(judgesLockOrder: scenario?.judgesLockOrder ?? false)
        examination.consume(trace.events[...])
        let words = Names(trace)
        outcome = trace.omitted == 0 ? examination.outcome(in: words) : nil
        let selected = examination.findings(in: words).filter(selection.includes)
        // By default, a fault comes with the steps that only a weak memory model allows: they may be its reason.
        findings = selection == .important ? selected.explained(by: trace) : selected
    }

    /// Whether the whole trace was examined, and nothing was found.
    var isClean: Bool { findings.isEmpty && trace.omitted == 0 }

    /// - Parameter isNamed: whether to print the file's name first.
    func writeText(_ options: ReportOptions, isNamed: Bool, to sink: inout ByteSink) {
        var options = options
        options.source = SourceLines(scenario, .savedTrace).text
        if isNamed {
            sink.write("\(path.printable):")
            sink.endLine()
        }
        for (index, finding) in findings.enumerated() {
            if index > 0 { sink.endLine() }
            Statement(finding, in: trace, options).write(options, to: &sink)
        }
        let count = Names.count(trace.events.count, "event")
        if trace.omitted > 0 {
            if !findings.isEmpty { sink.endLine() }
            let found = findings.isEmpty ? "No findings in the first \(count)" : "These are of the first \(count)"
            sink.write("\(found); the rest is too large to be examined.")
            sink.endLine()
        } else if let outcome, findings.isEmpty {
            sink.write("No findings in \(count). \(outcome.summary.printable)")
            sink.endLine()
        }
    }

    /// Writes the diagnosis as one line.
    func writeJSON(to sink: inout ByteSink) {
        sink.writeLine { json in
            json.member("trace", path)
            json.member("scenario", trace.header.scenario)
            json.member("events", trace.events.count)
            if trace.omitted > 0 { json.member("omitted", trace.omitted) }
            json.member("outcome", outcome?.kind.rawValue)
            let deciding = findings.firstIndex { $0 == Finding.deciding(outcome, among: findings) }
            json.objects("findings", Array(findings.enumerated())) {
                FindingJSON(trace).write($0.element, isDeciding: $0.offset == deciding, to: &$1)
            }
        }
    }
}

extension TraceDiagnosis {
    /// Writes the findings of each trace. A trace that cannot be read is reported, and the next one follows.
    static func write(_ arguments: TypedArguments<TraceAction.Options>, _ session: Session) throws -> ExitCode {
        let printed = arguments.printed
        if let other = arguments.given.first(where: {
            ![arguments.options.findings.name, "format", "color", "diagnose"].contains($0.name)
        }) {
            throw Complaint("trace: \(other.spelling) is not for \(arguments.options.findings.spelling)")
        }
        let isJSON: Bool
        switch printed.format {
        case .json: isJSON = true
        case .text: isJSON = false
        case .lanes, .none:
            throw Complaint(
                "trace: findings are printed as text or as JSON, not with --format \(printed.format.rawValue)")
        }
        let selection = try DiagnoseOption.selection(printed.diagnose, session)
        let paths = arguments.files
        let options = session.reportOptions(printed.color)
        var worst = ExitCode.expected
        for (index, path) in paths.enumerated() {
            do throws(Complaint) {
                let diagnosis = TraceDiagnosis(try TraceFile(path).readToShow(session), path, selection, session)
                if !diagnosis.isClean { worst = max(worst, .finding) }
                try StandardOutput.write { sink in
                    if isJSON { return diagnosis.writeJSON(to: &sink) }
                    if index > 0 { sink.endLine() }
                    diagnosis.writeText(options, isNamed: paths.count > 1, to: &sink)
                }
            } catch {
                worst = max(worst, session.complain(error.message, error.code))
            }
        }
        return worst
    }
}
