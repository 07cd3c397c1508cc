import Trace

/// The end of a report: how the run ended, why, where to read on, and how to see it again.
struct Summary {
    let trace: TraceDocument
    let options: ReportOptions

    /// - Parameter isApart: whether an empty line comes first.
    func write(to sink: inout ByteSink, isApart: Bool = true) {
        var line = Line(options)
        if isApart { line.end(to: &sink) }
        statement.write(options, to: &sink)
    }

    private var statement: Statement {
        var statement = beginning
        if let expectation = options.expectation { statement.paragraphs.append(expectation) }
        statement.paragraphs += options.remarks
        if let replay = options.replay { statement.commands.append(.init("Replay", replay)) }
        if let stepwise = options.stepwise { statement.commands.append(.init("Step by step", stepwise)) }
        return statement
    }

    private var beginning: Statement {
        guard let outcome = trace.outcome else {
            return Statement("cut off", "The trace stops before the run does.", isGood: false)
        }
        var statement = Statement(outcome.kind.rawValue, outcome.summary, isGood: outcome.kind == .completed)
        statement.paragraphs = outcome.details
        if let guide = outcome.guide { statement.paragraphs.append("Guide: \(guide)") }
        return statement
    }
}
