extension SourceText {
    /// The word that begins at a place, or the single character there.
    package func wordSpan(at site: Site) -> Span {
        let line = range(ofLine: min(max(1, site.line), lineCount))
        var start = line.lowerBound
        var column = 1
        while start < line.upperBound, column < site.column {
            start += 1
            while start < line.upperBound, bytes[start] & 0xC0 == 0x80 { start += 1 }
            column += 1
        }
        var end = start
        while end < line.upperBound, bytes[end] >= 0x80 || Lexer.isWordByte(bytes[end]) { end += 1 }
        return Span(start, max(end, min(start + 1, line.upperBound)))
    }
}
