import Text

/// Text set to a width: paragraphs that wrap, and two columns that stay aligned.
///
/// Some of the text comes from scenario files, so every word is escaped for the terminal here.
package struct Layout {
    let width: Int

    /// Narrower than this, two columns make no sense.
    static let narrowest = 40

    package init(width: Int) { self.width = max(width, Self.narrowest) }

    /// The lines of one paragraph. A word that is wider than the line keeps a line to itself.
    package func wrap(_ text: String, indent: Int = 0) -> [String] {
        let room = width - indent
        var lines: [String] = []
        var used = 0
        for word in Self.words(of: text).map(\.printable) {
            let length = word.count
            if !lines.isEmpty, used + 1 + length <= room {
                lines[lines.count - 1] += " " + word
                used += 1 + length
            } else {
                lines.append(word)
                used = length
            }
        }
        return lines.map { Self.spaces(indent) + $0 }
    }

    private static func words(of text: String) -> [Substring] {
        // Characters of ASCII are bytes, which are much faster to compare.
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return text.utf8.split { $0 == 0x20 || 0x09...0x0D ~= $0 }.map { Substring($0) }
        }
        return text.split(whereSeparator: \.isWhitespace)
    }

    /// Paragraphs are separated by an empty line, in the source and in the result. Within a paragraph, a line that
    /// begins with a label, such as `Try: two threads`, starts a new line.
    package func paragraphs(_ text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let paragraphs = lines.split { $0.allSatisfy(\.isWhitespace) }.map { lines in
            lines.reduce(into: [String]()) { pieces, line in
                if pieces.isEmpty || Self.hasLabel(line) {
                    pieces.append(String(line))
                } else {
                    pieces[pieces.count - 1] += " " + line
                }
            }
        }
        return Array(paragraphs.map { $0.flatMap { wrap($0) } }.joined(separator: [""]))
    }

    private static func hasLabel(_ line: Substring) -> Bool {
        let word = line.prefix(while: \.isLetter)
        return word.first?.isUppercase == true && line[word.endIndex...].hasPrefix(": ")
    }

    /// Terms on the left, their meanings on the right. The meaning of a term that is too wide for its column begins on
    /// the next line.
    package func columns(_ rows: [(left: String, right: String)]) -> [String] {
        let indent = 2
        let gap = 2
        let rows = rows.map { ($0.left.printable, $0.right) }
        let widest = rows.map(\.0.count).max() ?? 0
        let column = indent + min(widest, width / 3) + gap
        return rows.flatMap { left, right -> [String] in
            var lines = wrap(right, indent: column)
            let head = Self.spaces(indent) + left
            if lines.isEmpty || head.count + gap > column {
                return (head.count <= width ? [head] : wrap(left, indent: indent)) + lines
            }
            lines[0] = head + lines[0].dropFirst(head.count)
            return lines
        }
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }
}
