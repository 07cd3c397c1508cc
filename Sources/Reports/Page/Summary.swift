import Diagnosis
import Trace

/// The end of a report: how the run ended, why, what else was found, where to read on, and how to see it again.
struct Summary {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let prose: Prose
    private let story: FindingStory

    init(trace: TraceDocument, options: ReportOptions) {
        self.trace = trace
        self.options = options
        prose = Prose(options)
        story = FindingStory(trace, options)
    }

    /// - Parameter isApart: whether an empty line comes first.
    func write(to sink: inout ByteSink, isApart: Bool = true) {
        if isApart { sink.endLine() }
        if let outcome = trace.outcome {
            write(outcome, to: &sink)
        } else {
            prose.write("cut off", "The trace stops before the run does.", .bad, to: &sink)
        }
        if let expectation = options.expectation { prose.write(paragraph: expectation, to: &sink) }
        if let command = options.replay { prose.write(command: command, as: "Replay", to: &sink) }
        if let command = options.stepwise { prose.write(command: command, as: "Step by step", to: &sink) }
        for finding in options.findings where finding != decisive {
            sink.endLine()
            story.write(finding, to: &sink)
        }
    }

    /// The finding that the outcome's story is.
    private var decisive: Finding? {
        options.findings.first { $0.code.outcome == trace.outcome?.kind && $0.summary == trace.outcome?.summary }
    }

    private func write(_ outcome: Outcome, to sink: inout ByteSink) {
        prose.write(outcome.kind.rawValue, outcome.summary, outcome.kind == .completed ? .good : .bad, to: &sink)
        for detail in outcome.details { prose.write(paragraph: detail, to: &sink) }
        if let decisive { story.writeSource(decisive, to: &sink) }
        if let guide = outcome.guide { prose.write(paragraph: "Guide: \(guide)", to: &sink) }
        if let decisive { story.writeCommand(decisive, to: &sink) }
    }
}
