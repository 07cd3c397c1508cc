import Authoring
import Diagnosis
import Reports
import Supervision
import Trace

/// What fails a test: a text, and files that show more.
struct TestFailure {
    let text: String
    var files: [AttachedFile] = []

    init(_ text: String) { self.text = text }

    /// A finding of a search, with the call that repeats it.
    init(_ finding: ExplainedFinding, _ rules: RunRules, at place: CallPlace) {
        var options = Self.options(place)
        options.remarks = finding.remarks
        let arguments = ["\"\(finding.schedule.description)\"", rules.argument].filter { !$0.isEmpty }
        options.findings = [finding.deciding].compactMap(\.self)
        self.init(finding.trace, "try replay(\(arguments.joined(separator: ", "))) { … }", options)
    }

    /// A run that ended otherwise than it should.
    init(_ trace: TraceDocument, _ program: any Runnable, after expected: OutcomeKind?, at place: CallPlace) {
        if let expected, trace.outcome?.kind == .completed {
            self.init("the run completed; it should have ended in \(expected.rawValue)")
        } else {
            var options = Self.options(place)
            var examination = Examination(judgesLockOrder: program.judgesLockOrder)
            examination.consume(trace.events[...])
            let findings = examination.findings(in: Names(trace))
            options.findings = [Finding.deciding(trace.outcome, among: findings)].compactMap(\.self)
            self.init(trace, nil, options)
        }
    }

    /// Races of plain memory in a run.
    init(_ reports: [SanitizerReport]) {
        let races = reports.map { $0.accesses.joined(separator: "\nagainst a ") }
        text = """
            race: ThreadSanitizer has reported \(Names.count(reports.count, "data race")) of plain memory during the run; \
            the whole report is on standard error.
            \(races.joined(separator: "\n\n"))
            """
    }

    /// - Parameter call: repeats the run. Nil: nothing does.
    private init(_ trace: TraceDocument, _ call: String?, _ start: ReportOptions) {
        var options = start
        options.replay = call
        let report = ByteSink.collect { ReportFormat.lanes.write(trace, options, to: &$0) }
        let outcome = trace.outcome.map { "\($0.kind.rawValue): \($0.summary)" } ?? "the run has no outcome"
        text = "\(outcome)\n\(report)"
        files = AttachedFile.all(trace, options)
    }

    /// Test logs are wider than a terminal, and narrower than a file.
    private static func options(_ place: CallPlace) -> ReportOptions {
        var options = ReportOptions(width: 100)
        let sources = PackageSources(around: "\(place.filePath)")
        options.source = { sources.text(of: $0) }
        return options
    }
}
