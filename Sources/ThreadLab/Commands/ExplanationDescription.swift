import Arguments
import Authoring
import Diagnosis
import Trace

/// An explanation as text, for people and for scripts.
struct ExplanationDescription {
    private let explanation: Explanation

    init(_ explanation: Explanation) { self.explanation = explanation }

    private var code: FindingCode { explanation.code }
    private var example: ExamplePrograms { explanation.example }

    // MARK: - For people

    /// - Parameter program: the program's name, as the user typed it.
    func text(program: String, width: Int) -> String {
        let layout = Layout(width: width)
        let command = "\(program) explain \(code.rawValue)"
        let sections = [
            layout.wrap("\(code.rawValue) \(code.name): \(code.title) (\(severity))"),
            layout.wrap(explanation.meaning),
            section("How it happens", [explanation.story], layout),
            section(code.severity == .note ? "Why it matters" : "Why it is wrong", [explanation.reason], layout),
            ["How to fix it:"] + layout.columns(explanation.remedies.map { ("-", $0) }),
            section("Often confused with", [explanation.confusion], layout),
            section("Sources", explanation.sources + ["'Guide' means the " + guide], layout),
            ["A program that shows it:"] + programLines,
            example.remark.map { layout.wrap($0) } ?? [],
            [
                "Try:", "  \(command) --example > \(code.name).lab", "  \(program) \(search) \(code.name).lab",
                "  \(command) --fixed > fixed.lab",
            ],
        ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The command that shows the finding: what decides an outcome is found by a search, a warning in any run.
    private var search: String { code.outcome == nil || code == .timeout ? "run --format lanes" : "explore" }

    private var guide: String { Book.threadingProgrammingGuide.reference }

    private func section(_ heading: String, _ paragraphs: [String], _ layout: Layout) -> [String] {
        [heading + ":"] + paragraphs.flatMap { layout.wrap($0, indent: 2) }
    }

    private var programLines: [String] {
        example.broken.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            .map { $0.isEmpty ? "" : "    " + $0 }
    }

    private var severity: String {
        code.outcome.map { "\(code.severity.rawValue), outcome \($0.rawValue)" } ?? code.severity.rawValue
    }

    // MARK: - For scripts

    func writeJSON(to sink: inout ByteSink) {
        sink.write("{\"code\":")
        sink.write(json: code.rawValue)
        write("name", code.name, to: &sink)
        write("title", code.title, to: &sink)
        write("severity", code.severity.rawValue, to: &sink)
        if let outcome = code.outcome { write("outcome", outcome.rawValue, to: &sink) }
        write("meaning", explanation.meaning, to: &sink)
        write("story", explanation.story, to: &sink)
        write("reason", explanation.reason, to: &sink)
        write("remedies", explanation.remedies, to: &sink)
        write("confusion", explanation.confusion, to: &sink)
        write("sources", explanation.sources, to: &sink)
        if let shows = example.shows { write("exampleShows", shows.rawValue, to: &sink) }
        if let remark = example.remark { write("remark", remark, to: &sink) }
        write("example", example.broken, to: &sink)
        write("fixed", example.fixed, to: &sink)
        sink.write("}")
    }

    private func write(_ name: String, _ text: String, to sink: inout ByteSink) {
        sink.write(",\"\(name)\":")
        sink.write(json: text)
    }

    private func write(_ name: String, _ texts: [String], to sink: inout ByteSink) {
        sink.write(",\"\(name)\":[")
        for (index, text) in texts.enumerated() {
            sink.write(index > 0 ? "," : "")
            sink.write(json: text)
        }
        sink.write("]")
    }
}
