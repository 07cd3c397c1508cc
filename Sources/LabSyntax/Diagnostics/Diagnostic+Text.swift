import Text

extension Diagnostic {
    /// The message for people: place, sentence, the line with carets, help, and related places.
    package func text(in source: SourceText) -> String {
        let file = source.name.printable
        guard source.bytes.count <= Limits.fileBytes else { return "\(file): \(severity.rawValue): \(message)" }
        let numbers = ([span] + notes.map(\.span)).map { source.line(of: $0.start) }
        let margin = max(4, String(numbers.max() ?? 0).count + 1)
        var lines = Self.lines(severity.rawValue, message, help, span, source, margin)
        for note in notes { lines += Self.lines("note", note.message, nil, note.span, source, margin) }
        return lines.joined(separator: "\n")
    }

    private static func lines(
        _ severity: String, _ message: String, _ help: String?, _ span: Span, _ source: SourceText, _ margin: Int
    ) -> [String] {
        let site = source.site(of: span.start)
        let excerpt = SourceExcerpt(source, span)
        let number = String(site.line)
        let gutter = String(repeating: " ", count: margin - number.count) + number + " | "
        let empty = String(repeating: " ", count: margin) + " | "
        let carets = "^" + String(repeating: "~", count: excerpt.width - 1)
        return [
            "\(source.name.printable):\(site.line):\(site.column): \(severity): \(message)",
            gutter + excerpt.line,
            empty + String(repeating: " ", count: excerpt.indentation) + carets + (help.map { " " + $0 } ?? ""),
        ]
    }
}
