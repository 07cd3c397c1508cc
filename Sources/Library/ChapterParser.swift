import Text

/// Reads the chapters of the program library from the Markdown of `scenarios/README.md`. A chapter is a heading of the
/// third level with a paragraph and a table of programs.
struct ChapterParser {
    private(set) var chapters: [Chapter] = []

    init(_ text: String) {
        for line in Self.split(text[...], at: "\n", omittingEmpty: true) { read(line) }
    }

    private mutating func read(_ line: Substring) {
        if line.hasPrefix("### ") {
            chapters.append(Chapter(name: String(line.dropFirst("### ".count))))
        } else if line.hasPrefix("#") || chapters.isEmpty {
            return
        } else if !line.hasPrefix("|") {
            editLast { $0.summary += ($0.summary.isEmpty ? "" : " ") + line }
        } else if let entry = Self.entry(line) {
            editLast { $0.entries.append(entry) }
        }
    }

    /// Splits by bytes, because splitting by characters takes ten times as long, and commands that list or look up
    /// programs read all chapters.
    private static func split(_ text: Substring, at separator: Unicode.Scalar, omittingEmpty: Bool) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: omittingEmpty)
            .map { Substring($0) }
    }

    private mutating func editLast(_ edit: (inout Chapter) -> Void) { edit(&chapters[chapters.count - 1]) }

    /// The entry of a table's row, whose cells are the program's link, its summary, what its runs can end in, and links
    /// to its fixed versions. Nil: the row belongs to the head of the table, which has no links.
    private static func entry(_ row: Substring) -> Chapter.Entry? {
        let cells = split(row, at: "|", omittingEmpty: false).dropFirst().map(\.trimmed)
        guard cells.count >= 4, let name = linkTexts(in: cells[0]).first else { return nil }
        return Chapter.Entry(
            name: name, summary: String(cells[1]), ends: String(cells[2]),
            fixedBy: linkTexts(in: cells[3]))
    }

    /// The link texts of a cell: `a` and `b` of `[a](x), [b](y)`.
    private static func linkTexts(in cell: Substring) -> [String] {
        cell.split(separator: "[").compactMap { part in
            part.firstIndex(of: "]").map { String(part[..<$0]) }
        }
    }
}
