import LabSyntax
import Testing

/// A program, named in test reports by its scenario.
struct Sample: CustomTestStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }

    var source: SourceText { SourceText(name: "test.lab", text) }

    var testDescription: String {
        let parts = text.split(separator: "\"", maxSplits: 2)
        return parts.count > 1 ? String(parts[1]) : text
    }
}
