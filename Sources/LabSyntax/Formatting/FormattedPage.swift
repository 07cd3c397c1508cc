/// Lines of code, each with its indentation and an optional trailing comment.
struct FormattedPage {
    private struct Line {
        var indentation: Int
        var code = ""
        var comment: String?
        var isAfterBlank: Bool
    }

    private var lines: [Line] = []

    mutating func newLine(indentation: Int, isAfterBlank: Bool) {
        lines.append(Line(indentation: indentation, isAfterBlank: isAfterBlank && !lines.isEmpty))
    }

    mutating func append(_ text: String, space: Bool) {
        let last = lines.count - 1
        lines[last].code += space && !lines[last].code.isEmpty ? " " + text : text
    }

    /// Appends a comment to the last line.
    mutating func setComment(_ comment: String) {
        if lines.isEmpty { newLine(indentation: 0, isAfterBlank: false) }
        lines[lines.count - 1].comment = comment
    }

    /// Trailing comments on consecutive lines begin in the same column.
    var text: String {
        var text = ""
        var start = 0
        while start < lines.count {
            var end = start + 1
            while end < lines.count, lines[end].comment != nil, lines[start].comment != nil, !lines[end].isAfterBlank {
                end += 1
            }
            let width = lines[start..<end].map { Self.width($0) }.max() ?? 0
            for line in lines[start..<end] { text += Self.text(line, commentColumn: width + 2) }
            start = end
        }
        return text
    }

    private static func text(_ line: Line, commentColumn: Int) -> String {
        var text = line.isAfterBlank ? "\n" : ""
        text += String(repeating: " ", count: 4 * line.indentation) + line.code
        if let comment = line.comment {
            text += String(repeating: " ", count: commentColumn - width(line)) + comment
        }
        return text + "\n"
    }

    private static func width(_ line: Line) -> Int {
        line.code.unicodeScalars.reduce(4 * line.indentation) { $0 + $1.columns }
    }
}
