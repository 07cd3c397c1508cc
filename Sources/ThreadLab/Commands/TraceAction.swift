import Arguments
import Diagnosis
import Supervision
import Trace

/// `threadlab trace FILE`
enum TraceAction: Action {
    static let command = Command(
        "trace", "Print a saved trace again",
        discussion: """
            FILE is what 'run --trace FILE' saved, or the FILE.recording that is left of a run when threadlab itself was \
            killed.
            """,
        positionals: [Positional("FILE", .file, "The trace", .required)],
        options: [TraceOutput.formatOption, TraceOutput.colourOption],
        examples: [Example("trace failure.trace --format lanes", "a column a thread")])

    static func run(_ arguments: ParsedArguments, in session: Session) throws -> ExitCode {
        var trace = try TraceFile(arguments.text("FILE")!).read()
        let scenario = try? session.configured(
            trace.header.scenario, trace.header.parameters.map { ($0.name, $0.value) })
        if trace.outcome == nil {
            trace.outcome = OutcomeJudge.outcome(
                of: trace, guide: scenario?.guide, judgesLockOrder: scenario?.judgesLockOrder ?? false)
        }
        try TraceOutput(arguments, session, runs: false).show(SupervisedRun(trace: trace), of: scenario)
        return .expected
    }
}
