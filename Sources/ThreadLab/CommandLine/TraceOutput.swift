import Arguments
import Authoring
import Diagnosis
import Reports
import Supervision
import Text
import Trace

/// What becomes of a run's trace: printed in a format, and saved.
struct TraceOutput {
    static let options: [any OptionDeclaration] =
        [
            formatOption, Terminal.colourOption, DiagnoseOption.option, fileOption,
        ] + RowOptions.options

    static let formatOption = TypedOption.choice(
        "format",
        [
            (ReportFormat.text, "a line an event"), (.lanes, "a column a thread"), (.json, "JSON Lines"),
            (.none, "how it ended, nothing else"),
        ], default: .text, placeholder: "FORMAT", "How to print the trace")

    private static let fileOption = TypedOption.file(
        "trace", "Save the trace in this file; of many runs, the most remarkable one's")

    let format: ReportFormat
    private let destination: TraceDestination?
    private let options: ReportOptions
    private let selection: FindingSelection
    private let program: String
    private let pager: Pager

    /// - Parameter saves: whether the command has the option to save the trace.
    init(_ arguments: ParsedArguments, _ session: Session, saves: Bool = true) throws(Complaint) {
        format = arguments[Self.formatOption]
        selection = try DiagnoseOption.selection(arguments, session)
        let path = saves ? arguments[Self.fileOption] : nil
        if let path { destination = try TraceDestination(path) } else { destination = nil }
        var options = session.reportOptions(arguments)
        RowOptions.apply(arguments, to: &options)
        self.options = options
        program = session.program
        pager = session.pager
    }

    /// Runs the plan, saves and prints its trace.
    func run(_ plan: RunPlan) throws -> ExitCode {
        let run = try supervise(plan, shows: format != .none)
        try show(run, of: plan.scenario)
        return Self.code(run.trace, plan.scenario)
    }

    /// Runs the plan. While it runs, the recording is a file beside the trace's: if threadlab itself is killed,
    /// `threadlab trace` reads that.
    ///
    /// - Parameters:
    ///   - saves: whether the trace is saved as soon as the run is over.
    ///   - shows: whether somebody looks at its events even if they are not saved.
    func supervise(_ plan: RunPlan, saves: Bool = true, shows: Bool = true) throws -> SupervisedRun {
        var plan = plan
        plan.keepsEvents = shows || destination != nil
        plan.isExamined = selection != .none
        plan.recordingPath = destination?.recordingPath
        return try Supervisor.run(plan) { trace in
            if let misfit = trace.events.last, misfit.kind == .runDiverged {
                throw complaint(about: trace.text(of: misfit) ?? "", trace, plan)
            }
            if saves { try save(trace) }
        }
    }

    /// - Parameter misfit: why the run could not be what it was to be.
    private func complaint(about misfit: String, _ trace: TraceDocument, _ plan: RunPlan) -> Complaint {
        guard case .follow = plan.mode else { return Complaint("the schedule does not fit: \(misfit.printable)") }
        let command = replayCommand(trace, plan.scenario).map { "; '\($0)' does the same up to there" } ?? ""
        return Complaint("the run cannot be followed: \(misfit.printable)\(command)", .finding)
    }

    func save(_ trace: TraceDocument) throws(Complaint) { try destination?.save(trace) }

    func show(_ run: SupervisedRun, of scenario: (any Runnable)?) throws(Complaint) {
        let trace = run.trace
        var options = options
        options.findings = told(run)
        options.source = SourceLines(scenario).text
        if let scenario {
            let command = replayCommand(trace, scenario)
            options.setReplay(command, orElse: "'--trace FILE' saves the run, and 'replay FILE' repeats it")
            options.stepwise = stepwiseCommand(trace, scenario)
            options.expectation = trace.outcome.flatMap { scenario.comment(on: $0.kind, on: trace.header.runtime) }
        }
        try StandardOutput.page(pager) { format.write(trace, options, to: &$0) }
    }

    /// What was found that is to be told.
    func told(_ run: SupervisedRun) -> [Finding] { run.findings.filter(selection.includes) }

    func write(_ findings: FindingTally, of runs: Int, _ scenario: any Runnable, to sink: inout ByteSink) {
        findings.write(options, program: program, to: &sink) {
            "Seen in \($0.count) of \(runs) runs, first in run \($0.first)."
        } replay: {
            replayCommand($0, scenario)
        }
    }

    /// The command that does what the trace tells once more. Nil if there is none, or nothing to do.
    func replayCommand(_ trace: TraceDocument, _ scenario: any Runnable) -> String? {
        guard let schedule = trace.header.schedule, !schedule.isEmpty else { return nil }
        return "\(program) \(scenario.replayArguments(trace.header))"
    }

    /// For a finding on real threads, which nobody can replay: the command that runs the same where one can.
    private func stepwiseCommand(_ trace: TraceDocument, _ scenario: any Runnable) -> String? {
        guard trace.header.runtime == .native, trace.outcome?.kind != .completed else { return nil }
        return "\(program) \(scenario.stepwiseArguments)"
    }

    static func code(_ trace: TraceDocument, _ scenario: any Runnable) -> ExitCode {
        guard let kind = trace.outcome?.kind, kind != .interrupted else { return .interrupted }
        return scenario.expectation.allows(kind, on: trace.header.runtime) ? .expected : .finding
    }
}

extension Runnable {
    /// Whether the outcome is one that the variant states, in a sentence. Nil if the run never had the chance.
    func comment(on outcome: OutcomeKind, on runtime: TraceHeader.Runtime) -> String? {
        if outcome == .interrupted { return nil }
        let allowed = expectation.allows(outcome, on: runtime)
        let isLivelock = allowed && !expectation.allowed.contains(outcome)
        let remark = isLivelock ? ", which real threads show as a time-out" : ""
        return "\(allowed ? "As expected" : "Not expected"): '\(label.printable)' \(expectation.description)\(remark)."
    }
}
