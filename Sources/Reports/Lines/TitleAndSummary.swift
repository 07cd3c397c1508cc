import Diagnosis
import Text
import Trace

/// The first lines of a report: what was run, and how; and how it ended, if that is a finding.
struct Title {
    let trace: TraceDocument
    let options: ReportOptions

    func write(to sink: inout ByteSink) {
        writeName(to: &sink)
        guard let verdict = Summary(trace: trace, options: options).verdict else { return }
        verdict.writeSentence(options, to: &sink)
        sink.endLine()
    }

    private func writeName(to sink: inout ByteSink) {
        let header = trace.header
        var parts = header.parameters.map { "\($0.name)=\($0.value)" }
        parts.append(header.runtime.rawValue)
        if let model = header.memoryModel { parts.append("memory model \(model)") }
        if let seed = header.seed { parts.append("seed \(seed)") }
        var line = Line(options)
        let name = Label(header.scenario.shortened(), ascii: options.ascii)
        line.put(name, at: 0, .bold, to: &sink)
        let indent = name.width + 2
        let details = Label(parts.joined(separator: ", "), ascii: options.ascii)
        for piece in details.pieces(within: max(options.width - indent, 20)) {
            line.put(piece, at: indent, .dim, to: &sink)
            line.end(to: &sink)
        }
        line.end(to: &sink)
        if trace.dropped > 0 {
            note("\(trace.dropped) more events were dropped: the run exceeded the capacity of a trace.", to: &sink)
        }
        if trace.omitted > 0 {
            note(
                "Not shown: \(Names.count(trace.omitted, "later event")), with which the run needs too much memory.",
                to: &sink)
        }
    }

    private func note(_ text: String, to sink: inout ByteSink) {
        var line = Line(options)
        line.put(Label(text), at: 0, .dim, to: &sink)
        line.end(to: &sink)
    }
}

/// The end of a report: how the run ended, unless the report begins with that, and why; where to read more, how to repeat
/// it, other findings, and figures.
struct Summary {
    let trace: TraceDocument
    let options: ReportOptions
    /// The rows, counted from 1, of the events of the finding that decided how the run ended.
    var rows: [Int] = []

    /// The statement with which a report begins, if the run has ended badly. Nil: it is at the end of the report.
    var verdict: Statement? {
        guard options.saysVerdict, let outcome = trace.outcome, outcome.kind != .completed else { return nil }
        return beginning
    }

    /// - Parameter isAlone: whether nothing precedes it in the report. Otherwise it begins with an empty line, and the
    ///   title may have said how the run ended.
    func write(to sink: inout ByteSink, isAlone: Bool = false) {
        if !isAlone { sink.endLine() }
        let isSaid = !isAlone && verdict != nil || !options.saysVerdict
        if isSaid { statement.writeRest(options, to: &sink) } else { statement.write(options, to: &sink) }
        let decisive = options.decisive(in: trace)
        for finding in options.findings where finding != decisive {
            sink.endLine()
            Statement(finding, in: trace, options).write(options, to: &sink)
        }
        if options.showsModificationOrder { ModificationOrderList(trace, options).write(to: &sink) }
        MeterCharts(trace, options).write(to: &sink)
    }

    private var statement: Statement {
        var statement = beginning
        if let expectation = options.expectation { statement.remarks.append(expectation) }
        statement.remarks += options.remarks
        if let replay = options.replay { statement.commands.append(.init("Replay", replay)) }
        if let shell = options.replayInShell { statement.commands.append(.init("In a shell", shell)) }
        if let stepwise = options.stepwise { statement.commands.append(.init("Under the scheduler", stepwise)) }
        if let search = options.search {
            statement.remarks.append("It went well this time. In another order it may not.")
            statement.commands.append(.init("Search", search))
        }
        return statement
    }

    private var beginning: Statement {
        guard let outcome = trace.outcome else {
            return Statement(trace.missingEnd.word, trace.missingEnd.summary, isGood: false)
        }
        var statement = Statement(outcome.kind.rawValue, outcome.summary, isGood: outcome.kind == .completed)
        statement.paragraphs = outcome.details
        if let guide = outcome.guide { statement.remarks.append("Guide: \(guide)") }
        // The finding has two events, such as the accesses of a race, and the first two details are about them.
        if rows.count == 2, outcome.details.count >= 2 {
            statement.paragraphs.insert("These are rows \(rows[0].grouped) and \(rows[1].grouped) above.", at: 2)
        }
        if let decisive = options.decisive(in: trace) {
            statement.source = SourceLine.all(of: decisive, in: trace, options)
            if let command = Statement.Command(explaining: decisive, options) { statement.commands.append(command) }
        }
        return statement
    }
}

extension ReportOptions {
    /// The finding on which the outcome is based.
    func decisive(in trace: TraceDocument) -> Finding? {
        findings.first { $0.outcome == trace.outcome?.kind && $0.summary == trace.outcome?.summary }
    }
}

extension TraceDocument {
    /// The words for the end of a trace without an outcome.
    var missingEnd: (word: String, summary: String) {
        if omitted == 0 { return ("cut off", "The trace ends before the run does.") }
        let later = Names.count(omitted, "later event")
        return ("a part", "How the run ends was not examined: it continues with \(later).")
    }
}
