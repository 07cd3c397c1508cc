import Arguments
import Glibc
import Reports
import Scenarios
import Supervision
import Trace

/// What becomes of a run's trace: printed in a format, and saved.
struct TraceOutput {
    static let options: [Option] = [
        formatOption, colourOption,
        .file("trace", "Save the trace in this file"),
    ]

    static let formatOption = Option.choice(
        "format",
        [
            Word("text", "a line an event"), Word("lanes", "a column a thread"), Word("json", "JSON Lines"),
            Word("none", "how it ended, nothing else"),
        ], default: "text", placeholder: "FORMAT", "How to print the trace")

    static let colourOption = Option.choice(
        "color", ["auto", "always", "never"], default: "auto", placeholder: "WHEN", "Colour the output")

    let format: ReportFormat
    let path: String?
    private let options: ReportOptions

    init(_ arguments: ParsedArguments, _ session: Session, savesTo: Bool = true) throws(Complaint) {
        format = ReportFormat(rawValue: arguments.text("format")!)!
        path = savesTo ? arguments.text("trace") : nil
        let terminal = session.terminal
        options = ReportOptions(
            width: terminal.columns,
            colour: terminal.usesColour(Terminal.ColourChoice(rawValue: arguments.text("color")!)!),
            ascii: !terminal.drawsLines)
    }

    /// Runs the plan, prints and saves its trace.
    func run(_ plan: RunPlan) throws -> ExitCode {
        let trace = try supervise(plan)
        try show(trace, of: plan.scenario)
        return Self.code(trace, plan.scenario)
    }

    /// Runs the plan and saves its trace. While it runs, the recording is a file beside the trace's: if threadlab itself is
    /// killed, `threadlab trace` reads that.
    func supervise(_ plan: RunPlan) throws -> TraceDocument {
        var plan = plan
        plan.recordingPath = path.map { "\($0).recording" }
        let trace = try Supervisor.run(plan)
        if let path {
            try NewFile(path: path).write { TraceWriter.write(trace, to: &$0) }
            unlink("\(path).recording")
        }
        return trace
    }

    func show(_ trace: TraceDocument, of scenario: (any Scenario)?) throws(Complaint) {
        var options = options
        if let scenario {
            options.replay = trace.header.schedule.map { scenario.replayCommand(schedule: $0) }
            options.expectation = trace.outcome.map { scenario.comment(on: $0.kind) }
        }
        try StandardOutput.write { format.write(trace, options, to: &$0) }
    }

    static func code(_ trace: TraceDocument, _ scenario: any Scenario) -> ExitCode {
        guard let kind = trace.outcome?.kind, kind != .interrupted else { return .interrupted }
        return scenario.expectation.allowed.contains(kind) ? .expected : .finding
    }
}

extension Scenario {
    /// Whether the outcome is one that the variant states, in a sentence.
    func comment(on outcome: OutcomeKind) -> String {
        let allowed = expectation.allowed.contains(outcome)
        let variant = arguments.first { $0.name == "variant" }?.value ?? Self.name
        return "\(allowed ? "As expected" : "Not expected"): '\(variant)' \(expectation.description)."
    }
}
