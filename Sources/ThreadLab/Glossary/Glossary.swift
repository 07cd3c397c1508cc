import Library

/// The entries of docs/glossary.md.
enum Glossary {
    static let entries = GlossaryParser(Library.text(of: "docs/glossary.md") ?? "").entries

    static func entry(_ word: String) -> GlossaryEntry? { entries.first { $0.isNamed(word) } }

    /// All terms and their synonyms, for suggestions.
    static var words: [String] { entries.flatMap { [$0.term] + $0.synonyms } }
}
