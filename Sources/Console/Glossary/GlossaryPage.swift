import Arguments
import Authoring
import Diagnosis
import Text
import Trace

/// An entry of the glossary as `explain` shows it: as text or as JSON.
package struct GlossaryPage {
    private let entry: GlossaryEntry

    package init(_ entry: GlossaryEntry) { self.entry = entry }

    // MARK: - For people

    package func text(width: Int) -> String {
        let layout = Layout(width: width)
        let sections =
            [heading(layout)] + entry.definition.map { layout.wrap(plain($0)) } + [
                entry.example.map { ["A program that shows it:"] + indented($0) } ?? [],
                entry.program.map { layout.wrap("A program that shows it: " + plain($0)) } ?? [],
                layout.wrap("Source: " + HelpPages.named(in: plain(entry.source))) + guide(layout),
            ]
        return sections.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private func guide(_ layout: Layout) -> [String] {
        guard entry.source.contains("the guide") else { return [] }
        return layout.wrap("The guide is the " + Book.threadingProgrammingGuide.reference)
    }

    private func heading(_ layout: Layout) -> [String] {
        let also = entry.synonyms.isEmpty ? "" : " (also: \(entry.synonyms.joined(separator: ", ")))"
        return layout.wrap(entry.term + also)
    }

    private func indented(_ program: String) -> [String] {
        program.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
            $0.isEmpty ? "" : "    " + $0
        }
    }

    /// The text with code in quotation marks, because a terminal has no other sign for it.
    private func plain(_ markdown: String) -> String { String(markdown.map { $0 == "`" ? "'" : $0 }) }

    // MARK: - For scripts

    package func writeJSON(to json: inout JSONObject) {
        json.member("term", entry.term)
        json.array("synonyms", entry.synonyms)
        json.member("definition", plain(entry.definition.joined(separator: "\n\n")))
        json.member("example", entry.example)
        json.member("program", entry.program.map(plain))
        json.member("finding", entry.finding)
        json.member("source", plain(entry.source))
    }
}

/// Short words in alphabetical order, in as many columns as the width allows. Each column is read from top to bottom.
package struct TermColumns {
    let words: [String]
    let width: Int

    private static let indent = "  "
    private static let gap = 2

    package init(_ words: [String], width: Int) {
        self.words = words.sorted { $0.lowercased() < $1.lowercased() }
        self.width = width
    }

    package var lines: [String] {
        let columnWidth = (words.map(\.count).max() ?? 0) + Self.gap
        // The last column needs no gap.
        let columns = max(1, (width - Self.indent.count + Self.gap) / columnWidth)
        let rows = (words.count + columns - 1) / columns
        return (0..<rows).map { row in
            let cells = stride(from: row, to: words.count, by: rows).map { words[$0] }
            let padded = cells.dropLast().map { $0 + String(repeating: " ", count: columnWidth - $0.count) }
            return Self.indent + padded.joined() + (cells.last ?? "")
        }
    }
}

/// The topics that a word given to `explain` names: findings, terms of the glossary, or both.
package struct ExplainedTopics {
    package var codes: [FindingCode]
    package var terms: [GlossaryEntry]

    package static var all: Self { Self(codes: FindingCode.allCases, terms: Glossary.entries) }

    /// The topics that this word names. If there are none: those whose name or title contains its words.
    package init(matching word: String) {
        let term = Glossary.entry(word)
        let code = FindingCode(word: word) ?? term?.finding.flatMap { FindingCode(word: $0) }
        self.init(codes: code.map { [$0] } ?? [], terms: term.map { [$0] } ?? [])
        let wanted = Self.stems(of: word)
        guard isEmpty, !wanted.isEmpty else { return }
        codes = FindingCode.allCases.filter { code in
            [code.name, code.title].contains { Self.stems(of: $0).contains(wanted) }
        }
        terms = Glossary.entries.filter { entry in
            ([entry.term] + entry.synonyms).contains { Self.stems(of: $0).contains(wanted) }
        }
    }

    /// The words of a text, without plural endings.
    private static func stems(of text: String) -> [Substring] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map { $0.hasSuffix("s") ? $0.dropLast() : $0 }
    }

    private init(codes: [FindingCode], terms: [GlossaryEntry]) {
        self.codes = codes
        self.terms = terms
    }

    package var isEmpty: Bool { codes.isEmpty && terms.isEmpty }

    /// Whether the topics are one subject: a finding, a term, or a term together with its finding.
    package var isOne: Bool {
        guard codes.count <= 1, terms.count <= 1, let term = terms.first, let code = codes.first else {
            return codes.count + terms.count == 1
        }
        return term.finding == code.rawValue
    }

    /// Every word that names a topic.
    package static var words: [String] {
        FindingCode.allCases.map(\.name) + FindingCode.allCases.map(\.rawValue) + Glossary.words
    }
}
