import Text

/// A line of the source with carets under a part of it, made safe for a terminal: tabs become spaces, control
/// characters become pictures, and of a long line only the part around the caret is shown.
struct SourceExcerpt {
    /// The line as it is shown.
    private(set) var line = ""
    /// The columns of that before the caret, and under it.
    private(set) var indentation = 0
    private(set) var width = 0

    private static let tab = 4
    private static let longest = 100
    /// Columns that are shown before the caret when the line is cropped.
    private static let before = 40

    init(_ source: SourceText, _ span: Span) {
        let range = source.range(ofLine: source.line(of: span.start))
        let start = min(span.start, range.upperBound)
        let end = max(start, min(span.end, range.upperBound))
        // More bytes than this before or after the caret are not shown anyway.
        let first = Self.boundary(source, max(range.lowerBound, start - 4 * Self.longest))
        let last = Self.boundary(source, min(range.upperBound, start + 4 * Self.longest))
        let head = Self.cells(source, first..<start)
        let middle = Self.cells(source, start..<min(end, last))
        let tail = Self.cells(source, min(end, last)..<last)
        crop(head, middle, tail, isCut: (first > range.lowerBound, last < range.upperBound))
    }

    private mutating func crop(_ head: [Cell], _ middle: [Cell], _ tail: [Cell], isCut: (Bool, Bool)) {
        var shown = head + middle + tail
        var caret = head.count
        var cutAfter = isCut.1
        var cutBefore = isCut.0
        if shown.count > Self.longest {
            let drop = min(max(0, caret - Self.before), shown.count - Self.longest)
            cutBefore = cutBefore || drop > 0
            shown.removeFirst(drop)
            caret -= drop
            cutAfter = cutAfter || shown.count > Self.longest
            shown.removeLast(max(0, shown.count - Self.longest))
        }
        let under = shown[caret..<min(caret + max(1, middle.count), shown.count)]
        line = (cutBefore ? "…" : "") + shown.map(\.text).joined() + (cutAfter ? "…" : "")
        indentation = shown[..<caret].reduce(cutBefore ? 1 : 0) { $0 + $1.columns }
        width = max(1, under.reduce(0) { $0 + $1.columns })
    }

    private struct Cell {
        var text: String
        var columns: Int
    }

    private static func cells(_ source: SourceText, _ range: Range<Int>) -> [Cell] {
        source.text(Span(range.lowerBound, range.upperBound)).unicodeScalars.map { scalar in
            if scalar == "\t" { return Cell(text: String(repeating: " ", count: tab), columns: tab) }
            if let picture = scalar.controlPicture { return Cell(text: String(picture), columns: 1) }
            if scalar.isHazardous { return Cell(text: "\u{FFFD}", columns: 1) }
            return Cell(text: String(scalar), columns: scalar.columns)
        }
    }

    /// The first byte of the scalar that the byte is part of.
    private static func boundary(_ source: SourceText, _ offset: Int) -> Int {
        var start = offset
        while start > 0, start < source.bytes.count, source.bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return start
    }
}
