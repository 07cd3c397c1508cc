import Arguments
import Console
import Diagnosis
import Supervision
import Trace

/// `threadlab trace FILE`, `threadlab trace FILE… --findings`: prints saved traces without running anything.
package enum TraceAction: Action {
    package struct Options: OptionGroup {
        let files: Listed<[String]>
        let findings: Listed<Bool>
        let printed: ListedGroup<TraceOutput.PrintedOptions>
        let viewed: ListedGroup<TraceOutput.ViewedOptions>

        package init(_ list: inout OptionList) {
            files = list.oneOrMore("FILE", .file, "The trace; with --findings, any number of them")
            findings = list.flag(
                "findings", "Print only what went wrong, and why; the exit code is 1 if something did")
            printed = list.group()
            viewed = list.group()
        }
    }

    package static let command = TypedCommand<Options>(
        "trace", "Print a saved trace again, or what went wrong in it",
        discussion: """
            FILE is a trace saved by 'run --save FILE', also one that is cut off or still growing, or the FILE.recording \
            that remains when threadlab itself was killed during a run.

            The exit code is 0, or 2 if a trace cannot be read. With --findings, traces are analyzed by the same detectors as a \
            live run, and it is 1 if there are findings, or if a part was not examined; after a trace that cannot be read, the others \
            are still analyzed.
            """,
        onlyReads: true,
        formerOptions: FormerExports.options(),
        examples: [
            Example("trace failure.trace --format lanes", "one column per thread"),
            Example("trace failure.trace --html failure.html --format none", "a page to step through it"),
            Example(
                "trace *.trace --findings --diagnose all",
                "the findings of many, notes such as lock contention included"),
        ])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        if arguments.findings { return try TraceDiagnosis.write(arguments, session) }
        let path = arguments.files[0]
        if let other = arguments.files.dropFirst().first {
            let spelling = arguments.options.findings.spelling
            throw Complaint("trace: one trace is printed at a time: omit '\(other.printable)', or give \(spelling)")
        }
        var trace = try TraceFile(path).readToShow(session)
        let scenario = session.shownProgram(of: trace.header)
        var examination = Examination(judgesLockOrder: scenario?.judgesLockOrder ?? false)
        examination.consume(trace.events[...])
        let words = Names(trace)
        // The beginning of a trace does not show how the run ended.
        if trace.omitted == 0 {
            trace.outcome = trace.outcome ?? examination.outcome(in: words, guide: scenario?.guide)
        }
        let run = SupervisedRun(trace: trace, findings: examination.findings(in: words))
        var output = try TraceOutput(arguments.printed, arguments.viewed, .savedTrace, session)
        let isOnlyInTrace =
            path != InputFile.standardInput && SavedProgram(trace.header, session).isOnlyInTrace
        output.savedTrace = isOnlyInTrace ? path : nil
        try output.show(run, of: scenario)
        return .expected
    }
}
