/// The entries of docs/glossary.md, which the build embeds in the program.
enum Glossary {
    static let entries = GlossaryParser(String(decoding: PackageResources.glossary_md, as: UTF8.self)).entries

    static func entry(_ word: String) -> GlossaryEntry? { entries.first { $0.isNamed(word) } }

    /// All terms and their synonyms, for suggestions.
    static var words: [String] { entries.flatMap { [$0.term] + $0.synonyms } }
}
