import Library

/// The entries of docs/glossary.md.
package enum Glossary {
    static let entries = GlossaryParser(Library.text(of: "docs/glossary.md") ?? "").entries

    package static func entry(_ word: String) -> GlossaryEntry? { entries.first { $0.isNamed(word) } }

    /// All terms and their synonyms, for suggestions.
    static var words: [String] { entries.flatMap { [$0.term] + $0.synonyms } }
}

/// A term of docs/glossary.md.
package struct GlossaryEntry {
    package let term: String
    /// Other words for the term.
    var synonyms: [String] = []
    /// The definition, in paragraphs.
    package var definition: [String] = []
    /// A complete `.lab` program that shows the term's meaning.
    package var example: String?
    /// The reference to another program that shows it, as a text.
    var program: String?
    /// The code of the finding that reports it.
    var finding: String?
    var source = ""

    /// - Parameter word: in upper or lower case, with spaces, hyphens or neither, in the singular or plural.
    func isNamed(_ word: String) -> Bool {
        let forms = Self.singulars(of: Self.letters(of: word))
        return ([term] + synonyms).contains { forms.contains(Self.letters(of: $0)) }
    }

    private static func letters(of word: String) -> String {
        String(word.lowercased().filter { !" -_".contains($0) })
    }

    /// The word itself, and the singulars of which it can be the plural.
    private static func singulars(of word: String) -> [String] {
        let endings = [("", ""), ("s", ""), ("es", ""), ("ies", "y")]
        return endings.filter { word.hasSuffix($0.0) }.map { word.dropLast($0.0.count) + $0.1 }
    }
}

/// Reads the Markdown of docs/glossary.md.
///
/// An entry is a heading `## term`, followed by paragraphs, fenced programs, and paragraphs that begin with a label
/// such as `Source: `. What comes before the first heading is not part of an entry.
struct GlossaryParser {
    package private(set) var entries: [GlossaryEntry] = []
    private var paragraph: [Substring] = []
    private var program: [Substring]?

    init(_ text: String) {
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) { read(line) }
        endParagraph()
    }

    private mutating func read(_ line: Substring) {
        if let lines = program {
            if line == "```" { endProgram(lines) } else { program = lines + [line] }
        } else if line.hasPrefix("```") {
            endParagraph()
            program = []
        } else if line.hasPrefix("## ") {
            endParagraph()
            entries.append(GlossaryEntry(term: String(line.dropFirst("## ".count))))
        } else if line.isEmpty {
            endParagraph()
        } else {
            paragraph.append(line)
        }
    }

    private mutating func endProgram(_ lines: [Substring]) {
        program = nil
        editLast { $0.example = lines.map { $0 + "\n" }.joined() }
    }

    private mutating func endParagraph() {
        let text = paragraph.joined(separator: " ")
        paragraph = []
        guard !text.isEmpty else { return }
        editLast { entry in
            if let words = Self.value(of: "Also", in: text) {
                entry.synonyms = words.split(separator: ", ").map(String.init)
            } else if let code = Self.value(of: "Finding", in: text) {
                entry.finding = code
            } else if let program = Self.value(of: "Program", in: text) {
                entry.program = program
            } else if let source = Self.value(of: "Source", in: text) {
                entry.source = source
            } else {
                entry.definition.append(text)
            }
        }
    }

    private mutating func editLast(_ edit: (inout GlossaryEntry) -> Void) {
        guard !entries.isEmpty else { return }
        edit(&entries[entries.count - 1])
    }

    private static func value(of label: String, in text: String) -> String? {
        text.hasPrefix(label + ": ") ? String(text.dropFirst(label.count + 2)) : nil
    }
}
