import Diagnosis
import Trace

/// A finding for people: what, its story, the lines of source that it is about, why it is wrong, and what mends it.
package struct FindingStory {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let prose: Prose

    package init(_ trace: TraceDocument, _ options: ReportOptions) {
        self.trace = trace
        self.options = options
        prose = Prose(options)
    }

    package func write(_ finding: Finding, to sink: inout ByteSink) {
        let explanation = finding.code.explanation
        prose.write(
            "\(finding.severity.rawValue) \(finding.code.rawValue)", finding.summary, finding.severity.colour, to: &sink
        )
        for line in finding.story { prose.write(paragraph: line, to: &sink) }
        writeSource(finding, to: &sink)
        prose.write(paragraph: "Why: \(explanation.reason)", to: &sink)
        if let source = explanation.sources.first { prose.write(paragraph: source, to: &sink) }
        if let remedy = finding.advice ?? explanation.remedies.first {
            prose.write(paragraph: "What mends it: \(remedy)", to: &sink)
        }
        writeCommand(finding, to: &sink)
    }

    /// The text of the lines concerned, where it is there.
    func writeSource(_ finding: Finding, to sink: inout ByteSink) {
        guard let source = options.source else { return }
        let lines = finding.sites.compactMap { id -> (place: Label, text: Label)? in
            guard let site = trace.site(id), let text = source(site) else { return nil }
            return (label(site.shortDescription), label(text))
        }
        let column = Prose.indent + 2 + (lines.map(\.place.width).max() ?? 0) + 2
        for (place, text) in lines {
            var line = Line(options)
            line.put(place, at: Prose.indent + 2, .dim, to: &sink)
            line.put(text.clipped(to: max(options.width - column, 20), ascii: options.ascii), at: column, to: &sink)
            line.end(to: &sink)
        }
    }

    func writeCommand(_ finding: Finding, to sink: inout ByteSink) {
        guard let program = options.program else { return }
        prose.write(command: "\(program) explain \(finding.code.rawValue)", as: "More", to: &sink)
    }

    private func label(_ text: String) -> Label { Label(text, ascii: options.ascii) }
}

extension Severity {
    fileprivate var colour: Colour {
        switch self {
        case .fault, .warning: .bad
        case .note: .bold
        }
    }
}
