import Arguments
import Diagnosis
import Supervision
import Trace

/// `threadlab trace FILE`
enum TraceAction: Action {
    struct Options: OptionGroup {
        let file: Listed<String>
        let printed: ListedGroup<TraceOutput.PrintedOptions>
        let viewed: ListedGroup<TraceOutput.ViewedOptions>

        init(_ list: inout OptionList) {
            file = list.one("FILE", .file, "The trace")
            printed = list.group()
            viewed = list.group()
        }
    }

    static let command = TypedCommand<Options>(
        "trace", "Print a saved trace again",
        discussion: """
            FILE is a trace saved by 'run --trace FILE', or the FILE.recording that remains when threadlab itself was \
            killed during a run.
            """,
        onlyReads: true,
        examples: [
            Example("trace failure.trace --format lanes", "one column per thread"),
            Example("trace failure.trace --html failure.html --format none", "a page to step through it"),
        ])

    static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        var trace = try TraceFile(arguments.file).readToShow(session)
        let scenario = session.shownProgram(of: trace.header)
        var examination = Examination(judgesLockOrder: scenario?.judgesLockOrder ?? false)
        examination.consume(trace.events[...])
        let words = Names(trace)
        if trace.omitted == 0 {
            trace.outcome = trace.outcome ?? examination.outcome(in: words, guide: scenario?.guide)
        }
        let run = SupervisedRun(trace: trace, findings: examination.findings(in: words))
        var output = try TraceOutput(arguments.printed, arguments.viewed, .savedTrace, session)
        let isOnlyInTrace =
            arguments.file != InputFile.standardInput && SavedProgram(trace.header, session).isOnlyInTrace
        output.savedTrace = isOnlyInTrace ? arguments.file : nil
        try output.show(run, of: scenario)
        return .expected
    }
}
