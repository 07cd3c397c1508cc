/// A term of docs/glossary.md.
struct GlossaryEntry {
    let term: String
    /// Other words for it.
    var synonyms: [String] = []
    /// What it means, in paragraphs.
    var definition: [String] = []
    /// A complete `.lab` program that shows it.
    var example: String?
    /// Another program that shows it, in words.
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

    /// The word itself, and what it can be the plural of.
    private static func singulars(of word: String) -> [String] {
        let endings = [("", ""), ("s", ""), ("es", ""), ("ies", "y")]
        return endings.filter { word.hasSuffix($0.0) }.map { word.dropLast($0.0.count) + $0.1 }
    }
}
