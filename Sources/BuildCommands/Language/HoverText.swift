import Console
import LabEditing
import LabSyntax
import Recipes
import Text

/// What an editor shows when the pointer rests on a word, as Markdown: the declaration of a name, and the glossary's
/// definition of the word, or of what the name is.
struct HoverText {
    /// Nil: there is nothing to say.
    let markdown: String?

    init(_ word: SourceWord, _ name: DeclaredName?, in source: SourceText, _ session: Session) {
        var parts: [String] = []
        var term = Self.term(for: word.text)
        if let name {
            let text = source.text(name.declaration)
            let line = name.isVariable ? Self.line(of: name.declaration, in: source) : Self.firstLine(of: text)
            parts.append("```lab\n\(line)\n```")
            parts.append("`\(name.name.text)` is \(name.noun).")
            // The noun without its article.
            term = Self.term(for: String(name.noun.drop { $0 != " " }.dropFirst()))
        }
        if let entry = term.flatMap(Glossary.entry) {
            parts.append("**\(entry.term)**: \(entry.definition.first ?? "")")
            parts.append("More: `\(session.program) explain \(entry.term)`")
        }
        markdown = parts.isEmpty ? nil : parts.joined(separator: "\n\n")
    }

    private static func firstLine(of text: String) -> String {
        let line = String(text.prefix { $0 != "\n" })
        return line.hasSuffix("{") ? line + " … }" : line
    }

    /// The whole line in which the span is.
    private static func line(of span: Span, in source: SourceText) -> String {
        let bytes = source.bytes
        let start = bytes[..<span.start].lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let end = bytes[span.end...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        return String(source.text(Span(start, end))[...].trimmed)
    }

    /// The glossary's term for a word of the language. Nil: it has none.
    private static func term(for word: String) -> String? {
        switch Keyword(rawValue: word) {
        case .rwlock, .reading, .writing: return "read-write lock"
        case .lock: return "critical section"
        case .recursive: return "recursive mutex"
        case .checking: return "error-checking mutex"
        case .join: return "joinable"
        case .detach: return "detached"
        case .relaxed, .acqRel, .acqrel: return "memory order"
        case .seqcst, .sc: return "sequential consistency"
        case .fence: return "memory barrier"
        case .expect, .completes: return "expectation"
        case .invariant, .always, .never, .sometimes, .possible, .eventually: return "claim"
        case .weak: return "rc11"
        default: break
        }
        switch word {
        case "compareExchange", "weakCompareExchange": return "compare-exchange"
        default: return Glossary.entry(word) == nil ? nil : word
        }
    }
}

extension DeclaredName {
    fileprivate var isVariable: Bool { if case .variable = kind { true } else { false } }
}
