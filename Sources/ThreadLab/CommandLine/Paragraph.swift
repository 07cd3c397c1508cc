/// Text fitted to a width.
enum Paragraph {
    /// Breaks lines between words.
    static func wrap(_ text: String, width: Int) -> String { lines(text, width: width).joined(separator: "\n") }

    /// Two columns, the second wrapped.
    static func table(_ rows: [[String]], width: Int) -> String {
        let first = rows.map(\.[0].count).max() ?? 0
        let rest = max(20, width - first - 4)
        return rows.map { row in
            let lines = lines(row[1], width: rest)
            let margin = String(repeating: " ", count: first + 4)
            let head = "  " + row[0] + String(repeating: " ", count: first - row[0].count + 2)
            return head + lines.joined(separator: "\n" + margin) + "\n"
        }.joined()
    }

    private static func lines(_ text: String, width: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty && line.count + 1 + word.count > width {
                lines.append(line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return lines + [line]
    }
}
