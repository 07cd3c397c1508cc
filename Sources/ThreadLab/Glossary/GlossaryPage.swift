import Arguments
import Authoring
import Text
import Trace

/// An entry of the glossary, for people and for scripts.
struct GlossaryPage {
    private let entry: GlossaryEntry

    init(_ entry: GlossaryEntry) { self.entry = entry }

    // MARK: - For people

    func text(width: Int) -> String {
        let layout = Layout(width: width)
        let sections =
            [heading(layout)] + entry.definition.map { layout.wrap(plain($0)) } + [
                entry.example.map { ["A program that shows it:"] + indented($0) } ?? [],
                entry.program.map { layout.wrap("A program that shows it: " + plain($0)) } ?? [],
                layout.wrap("Source: " + plain(entry.source)) + guide(layout),
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

    /// On a terminal, code is in quotation marks.
    private func plain(_ markdown: String) -> String { String(markdown.map { $0 == "`" ? "'" : $0 }) }

    // MARK: - For scripts

    func writeJSON(to json: inout JSONObject) {
        json.member("term", entry.term)
        json.array("synonyms", entry.synonyms)
        json.member("definition", plain(entry.definition.joined(separator: "\n\n")))
        json.member("example", entry.example)
        json.member("program", entry.program.map(plain))
        json.member("finding", entry.finding)
        json.member("source", plain(entry.source))
    }
}
