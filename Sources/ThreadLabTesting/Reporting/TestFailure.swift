import Authoring
import Diagnosis
import Glibc
import Reports
import Supervision
import Testing
import Trace
import XCTest

/// The failure of a test: a text, and files with details.
struct TestFailure {
    let text: String
    var files: [AttachedFile] = []

    init(_ text: String) { self.text = text }

    /// A search's finding, with the call that repeats it.
    init(_ finding: ExplainedFinding, _ rules: RunRules, at place: CallPlace) {
        let rules = rules.following(finding.finding.rules)
        let arguments = ["\"\(finding.schedule.description)\"", rules.argument].filter { !$0.isEmpty }
        let shell = RunningTest.filter(at: place).map {
            ReplayRequest.command(finding.schedule.description, $0, line: place.line)
        }
        self.init(finding, call: "try replay(\(arguments.joined(separator: ", "))) { … }", inShell: shell, at: place)
    }

    /// A finding, with this call, which repeats it.
    ///
    /// - Parameters:
    ///   - preface: the text before the steps. Nil: none.
    ///   - shell: a command that repeats it without a change of the test. Nil: none.
    init(
        _ finding: ExplainedFinding, about preface: String? = nil, call: String, inShell shell: String? = nil,
        at place: CallPlace
    ) {
        var options = Self.options(place)
        options.replayInShell = shell
        options.remarks = finding.remarks
        options.findings = [finding.deciding].compactMap(\.self)
        self.init(finding.trace, call, options, about: preface)
    }

    /// A run with an unexpected end.
    ///
    /// - Parameter expected: the outcome that it should have had. Nil: one that the program allows.
    init(
        _ trace: TraceDocument, _ program: any Runnable, after expected: OutcomeKind?, about preface: String? = nil,
        at place: CallPlace
    ) {
        if let expected, trace.outcome?.kind == .completed {
            self.init("the run completed; it should have ended in \(expected.rawValue)")
        } else {
            var options = Self.options(place)
            var examination = Examination(judgesLockOrder: program.judgesLockOrder)
            examination.consume(trace.events[...])
            let findings = examination.findings(in: Names(trace))
            options.findings = [Finding.deciding(trace.outcome, among: findings)].compactMap(\.self)
            self.init(trace, nil, options, about: preface)
        }
    }

    /// Data races of plain memory in a run.
    init(_ reports: [SanitizerReport]) {
        let races = reports.map { $0.accesses.joined(separator: "\nagainst a ") }
        text = """
            race: ThreadSanitizer has reported \(Names.count(reports.count, "data race")) of plain memory during the run; \
            the whole report is on standard error.
            \(races.joined(separator: "\n\n"))
            """
    }

    /// The report on a run.
    ///
    /// - Parameter call: a call that repeats the run. Nil: none.
    private init(_ trace: TraceDocument, _ call: String?, _ start: ReportOptions, about preface: String? = nil) {
        var options = start
        options.replay = call
        options.foldsBeginning = true
        options.showsAccount = true
        options.saysVerdict = false
        let report = ByteSink.collect { ReportFormat.lanes.write(trace, options, to: &$0) }
        options.foldsBeginning = false
        options.showsAccount = false
        options.saysVerdict = true
        let outcome = trace.outcome.map { "\($0.kind.rawValue): \($0.summary)" } ?? "the run has no outcome"
        text = "\(outcome)\n\(preface.map { "\($0)\n\n" } ?? "")\(report)"
        files = AttachedFile.all(trace, options)
    }

    /// The options of reports in the log of a test. Their width of 100 columns is between the widths in a terminal and
    /// in a file.
    private static func options(_ place: CallPlace) -> ReportOptions {
        var options = ReportOptions(width: 100)
        let sources = PackageSources(around: "\(place.filePath)")
        options.source = { sources.text(of: $0) }
        options.path = { sources.path(of: $0.file) }
        return options
    }
}

/// The result of a search or a replay, and its meaning for the test.
struct TestJudgement {
    let result: ExplorationResult
    /// Nil: the test passes.
    var failure: TestFailure?
    var warning: String?
}

/// Records failures and warnings of the running test, in Swift Testing or XCTest.
enum TestIssue {
    /// Fails the test, or adds a warning to its output, as judged.
    static func record(_ judgement: TestJudgement, at place: CallPlace) throws(TestingError) {
        if let failure = judgement.failure { try record(failure, at: place) }
        if let warning = judgement.warning { warn(warning, at: place) }
    }

    static func warn(_ text: String, at place: CallPlace) {
        #if compiler(>=6.3)
            if Test.current != nil {
                Issue.record(Comment(rawValue: text), severity: .warning, sourceLocation: place.sourceLocation)
                return
            }
        #endif
        // XCTest, and Swift Testing before 6.3, have no warnings.
        let line = Array("\(place.filePath):\(place.line): warning: \(text)\n".utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }

    /// Fails the test at the line of the call, with files that explain the failure.
    ///
    /// - Throws: `TestingError` if no test is running.
    static func record(_ failure: TestFailure, at place: CallPlace) throws(TestingError) {
        if Test.current != nil {
            for file in failure.files { Attachment.record(file.bytes, named: RunningTest.fileName(file.name)) }
            Issue.record(Comment(rawValue: failure.text), sourceLocation: place.sourceLocation)
        } else if RunningTest.isOfXCTest {
            XCTFail(failure.text, file: place.filePath, line: place.line)
        } else {
            throw TestingError(failure.text)
        }
    }
}

extension CallPlace {
    fileprivate var sourceLocation: SourceLocation {
        SourceLocation(fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
}

/// A file with a trace, for people or programs, to be kept with the test's result.
struct AttachedFile {
    let name: String
    let bytes: [UInt8]

    /// The trace as text, in the form that `threadlab trace` reads, and as a page for a browser.
    static func all(_ trace: TraceDocument, _ options: ReportOptions) -> [AttachedFile] {
        [
            AttachedFile("trace.txt") { ReportFormat.lanes.write(trace, options, to: &$0) },
            AttachedFile("trace.jsonl") { ReportFormat.json.write(trace, options, to: &$0) },
            AttachedFile("trace.html") { PageReport(trace, files: [], options).write(to: &$0) },
        ]
    }

    init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    private init(_ name: String, _ write: (inout ByteSink) -> Void) {
        self.name = name
        var sink = ByteSink()
        write(&sink)
        bytes = sink.bytes
    }
}

/// The place of a test's call of the library, where failures are reported.
struct CallPlace {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
    let function: StaticString
}
