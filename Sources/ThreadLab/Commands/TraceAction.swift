import Arguments
import Diagnosis
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
            let guide = scenario.map { type(of: $0).guide.description }
            trace.outcome = OutcomeJudge.outcome(of: trace, guide: guide)
        }
        try TraceOutput(arguments, session, saves: false).show(trace, of: scenario)
        return .expected
    }
}
