import Arguments
import Authoring
import Diagnosis
import Reports
import Trace

/// `threadlab diagnose TRACE…`
enum DiagnoseAction: Action {
    private static let traces = TypedPositional.oneOrMore("TRACE", .file, "The traces")

    static let command = Command(
        "diagnose", "Say what went wrong in saved traces, and why",
        discussion: """
            TRACE is what 'run --trace FILE' saved, whole, cut off in the middle or still being written, or the \
            FILE.recording of a run. The same detectors look at it as at a run.

            The exit code is 0 if nothing was found, 1 if something was, and 2 if a trace cannot be read; the others are \
            read nevertheless.
            """,
        positionals: [traces],
        options: [OutputForm.option, Terminal.colourOption, DiagnoseOption.option],
        examples: [
            Example("diagnose failure.trace", "what was found, gravest first"),
            Example("diagnose --diagnose all *.trace", "with notes, how much each lock was wanted for example"),
        ])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        let selection = try DiagnoseOption.selection(arguments, session)
        let paths = arguments[traces]
        let options = session.reportOptions(arguments)
        var worst = ExitCode.expected
        for (index, path) in paths.enumerated() {
            do throws(Complaint) {
                let diagnosis = TraceDiagnosis(try TraceFile(path).read(), path, selection, session)
                if !diagnosis.findings.isEmpty { worst = max(worst, .finding) }
                try StandardOutput.write { sink in
                    if arguments[OutputForm.option] == .json { return diagnosis.writeJSON(to: &sink) }
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
