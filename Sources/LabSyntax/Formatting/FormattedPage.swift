/// The output of the formatter: lines of code, each with its indentation and an optional trailing comment.
struct FormattedPage {
    private struct Line {
        /// The number of levels.
        var indentation: Int
        var code = ""
        var comment: String?
        /// Whether a blank line precedes it.
        var isAfterBlank: Bool
    }

    private static let columnsPerLevel = 4

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

    /// The formatted text. Trailing comments on consecutive lines begin in the same column.
    var text: String {
        var result = ""
        var start = 0
        while start < lines.count {
            var end = start + 1
            while end < lines.count, lines[end].comment != nil, lines[start].comment != nil, !lines[end].isAfterBlank {
                end += 1
            }
            let widest = lines[start..<end].map { Self.width($0) }.max() ?? 0
            for line in lines[start..<end] { result += Self.text(line, commentColumn: widest + 2) }
            start = end
        }
        return result
    }

    private static func text(_ line: Line, commentColumn: Int) -> String {
        var text = line.isAfterBlank ? "\n" : ""
        text += String(repeating: " ", count: columnsPerLevel * line.indentation) + line.code
        if let comment = line.comment {
            text += String(repeating: " ", count: commentColumn - width(line)) + comment
        }
        return text + "\n"
    }

    private static func width(_ line: Line) -> Int {
        line.code.unicodeScalars.reduce(columnsPerLevel * line.indentation) { $0 + $1.columns }
    }
}

/// The first line of a file that differs from its canonical form.
package struct FormDifference: Equatable, Sendable {
    /// Counted from 1.
    package let line: Int
    /// The actual line. Nil: the file has no such line.
    package let present: String?
    /// The canonical line. Nil: the canonical form has no such line.
    package let canonical: String?

    /// Nil: the texts are the same.
    package init?(between bytes: [UInt8], and canonicalForm: String) {
        func lines(_ bytes: some Collection<UInt8>) -> [String] {
            bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        guard !bytes.elementsEqual(canonicalForm.utf8) else { return nil }
        let (present, canonical) = (lines(bytes), lines(canonicalForm.utf8))
        let same = zip(present, canonical).prefix { $0.utf8.elementsEqual($1.utf8) }.count
        line = same + 1
        self.present = same < present.count ? present[same] : nil
        self.canonical = same < canonical.count ? canonical[same] : nil
    }
}

extension SourceText {
    /// The text in its canonical form, with the same meaning and comments.
    ///
    /// - Throws: the syntax errors of the text. Unknown names and wrong types are no obstacle.
    package func formatted() throws(Unformatted) -> String {
        let (file, parser) = parsed()
        guard file != nil, parser.diagnostics.errors.isEmpty else {
            throw Unformatted(diagnostics: parser.diagnostics.sorted)
        }
        var formatter = SourceFormatter(parser)
        return formatter.format()
    }
}

/// Why a text cannot be formatted.
package struct Unformatted: Error, CustomStringConvertible {
    package let diagnostics: [Diagnostic]

    package var description: String { diagnostics.map(\.message).joined(separator: "; ") }
}
