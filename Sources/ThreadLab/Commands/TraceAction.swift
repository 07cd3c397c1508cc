import Arguments
import Diagnosis
import Supervision
import Trace

/// `threadlab trace FILE`
enum TraceAction: Action {
    private static let file = TypedPositional.one("FILE", .file, "The trace")

    static let command = Command(
        "trace", "Print a saved trace again",
        discussion: """
            FILE is what 'run --trace FILE' saved, or the FILE.recording that is left of a run when threadlab itself was \
            killed.
            """,
        positionals: [file],
        options: [TraceOutput.formatOption, Terminal.colourOption, DiagnoseOption.option] + RowOptions.options,
        examples: [Example("trace failure.trace --format lanes", "a column a thread")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        var trace = try TraceFile(arguments[file]).read()
        let scenario = try? session.configured(
            trace.header.scenario, trace.header.parameters.map { ($0.name, $0.value) })
        var examination = Examination(judgesLockOrder: scenario?.judgesLockOrder ?? false)
        examination.consume(trace.events[...])
        let words = Names(trace)
        trace.outcome = trace.outcome ?? examination.outcome(in: words, guide: scenario?.guide)
        let run = SupervisedRun(trace: trace, findings: examination.findings(in: words))
        try TraceOutput(arguments, session, saves: false).show(run, of: scenario)
        return .expected
    }
}
