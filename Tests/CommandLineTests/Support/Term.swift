import Support
import Testing

/// An entry of docs/glossary.md as the file has it, for comparison with what the program prints.
struct Term: CustomTestStringConvertible {
    let name: String
    let lines: [Substring]

    static let all = (Repository.text(of: "docs/glossary.md") ?? "").split(separator: "\n## ").dropFirst().map { text in
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return Term(name: String(lines[0]), lines: Array(lines.dropFirst()))
    }

    var source: String? { value(of: "Source") }

    var synonyms: [String] { value(of: "Also")?.split(separator: ", ").map(String.init) ?? [] }

    var finding: String? { value(of: "Finding") }

    /// The first line of what it means.
    var definition: Substring? { lines.first { !$0.isEmpty && !$0.hasPrefix("Also: ") && !$0.hasPrefix("Finding: ") } }

    var hasProgram: Bool { lines.contains("```lab") || value(of: "Program") != nil }

    /// The files of `scenarios/` that it names.
    var files: [String] {
        lines.flatMap { $0.matches(of: /scenarios\/[a-z\/-]+\.lab/) }.map { String($0.output) }
    }

    var testDescription: String { name }

    private func value(of label: String) -> String? {
        lines.first { $0.hasPrefix(label + ": ") }.map { String($0.dropFirst(label.count + 2)) }
    }
}
