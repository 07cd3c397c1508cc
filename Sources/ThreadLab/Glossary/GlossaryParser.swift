/// Reads the Markdown of docs/glossary.md.
///
/// An entry is a heading `## term`, followed by paragraphs, fenced programs, and paragraphs that begin with a label such as
/// `Source: `. What comes before the first heading is not part of an entry.
struct GlossaryParser {
    private(set) var entries: [GlossaryEntry] = []
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
