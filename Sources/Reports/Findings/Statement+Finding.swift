import Diagnosis
import Trace

extension Statement {
    /// A finding for people: its summary, its story, its lines of source, why it is wrong, and how to fix it.
    package init(_ finding: Finding, in trace: TraceDocument, _ options: ReportOptions) {
        let explanation = finding.code.explanation
        self.init(
            "\(finding.severity.rawValue) \(finding.code.rawValue)", finding.summary, isGood: finding.severity == .note)
        paragraphs = finding.story
        source = SourceLine.all(at: finding.sites, in: trace, options)
        remarks = ["Why: \(explanation.reason)"] + explanation.sources.prefix(1)
        if let remedy = finding.advice ?? explanation.remedies.first { remarks.append("Fix: \(remedy)") }
        commands = [Command(explaining: finding, options)].compactMap(\.self)
    }
}

extension Statement.Command {
    /// Nil: the report names no commands.
    init?(explaining finding: Finding, _ options: ReportOptions) {
        guard let program = options.program else { return nil }
        self.init("More", "\(program) explain \(finding.code.rawValue)")
    }
}
