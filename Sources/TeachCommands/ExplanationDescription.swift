import Arguments
import Authoring
import Console
import Diagnosis
import Trace

/// The explanation of a finding, as `explain` shows it: as text or as JSON.
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
            section("A common belief", [explanation.belief], layout),
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

    /// The command that shows the finding: a search if the finding decides how a run ends, except for a time-out;
    /// otherwise a run.
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

    func writeJSON(to json: inout JSONObject) {
        json.member("code", code.rawValue)
        json.member("name", code.name)
        json.member("title", code.title)
        json.member("severity", code.severity.rawValue)
        json.member("outcome", code.outcome?.rawValue)
        json.member("meaning", explanation.meaning)
        json.member("story", explanation.story)
        json.member("reason", explanation.reason)
        json.array("remedies", explanation.remedies)
        json.member("confusion", explanation.confusion)
        json.member("belief", explanation.belief)
        json.array("sources", explanation.sources)
        json.member("exampleShows", example.shows?.rawValue)
        json.member("remark", example.remark)
        json.member("example", example.broken)
        json.member("fixed", example.fixed)
    }
}
