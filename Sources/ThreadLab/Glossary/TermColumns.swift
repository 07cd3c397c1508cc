/// Short words in alphabetical order, in as many columns as the width allows, read from top to bottom.
struct TermColumns {
    let words: [String]
    let width: Int

    private static let indent = "  "
    private static let gap = 2

    init(_ words: [String], width: Int) {
        self.words = words.sorted { $0.lowercased() < $1.lowercased() }
        self.width = width
    }

    var lines: [String] {
        let column = (words.map(\.count).max() ?? 0) + Self.gap
        let columns = max(1, (width - Self.indent.count + Self.gap) / column)
        let rows = (words.count + columns - 1) / columns
        return (0..<rows).map { row in
            let cells = stride(from: row, to: words.count, by: rows).map { words[$0] }
            let padded = cells.dropLast().map { $0 + String(repeating: " ", count: column - $0.count) }
            return Self.indent + padded.joined() + (cells.last ?? "")
        }
    }
}
