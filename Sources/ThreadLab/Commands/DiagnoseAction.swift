import Arguments
import Authoring
import Diagnosis
import Reports
import Trace

/// `threadlab diagnose TRACE…`
enum DiagnoseAction: Action {
    struct Options: OptionGroup {
        let traces = TypedPositional.oneOrMore("TRACE", .file, "The traces")
        let format = OutputForm.option
        let color = Terminal.colourOption
        let diagnose = DiagnoseOption.option
    }

    static let command = TypedCommand(
        "diagnose", "Diagnose saved traces: what went wrong, and why",
        discussion: """
            TRACE is a file saved by 'run --trace FILE' (complete, truncated or still being written), or the \
            FILE.recording of a run. It is analyzed by the same detectors as a live run.

            The exit code is 0 if there are no findings, 1 if there are some, and 2 if a trace cannot be read; the \
            other traces are still diagnosed.
            """,
        options: Options(),
        examples: [
            Example("diagnose failure.trace", "the findings, most severe first"),
            Example("diagnose --diagnose all *.trace", "including notes, such as lock contention"),
        ])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        let selection = try DiagnoseOption.selection(arguments.diagnose, session)
        let paths = arguments.traces
        let options = session.reportOptions(arguments.color)
        var worst = ExitCode.expected
        for (index, path) in paths.enumerated() {
            do throws(Complaint) {
                let diagnosis = TraceDiagnosis(try TraceFile(path).read(), path, selection, session)
                if !diagnosis.findings.isEmpty { worst = max(worst, .finding) }
                try StandardOutput.write { sink in
                    if arguments.format == .json { return diagnosis.writeJSON(to: &sink) }
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
