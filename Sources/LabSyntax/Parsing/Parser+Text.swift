/// Texts, with the values that `\( )` puts into them.
extension Parser {
    mutating func text() throws(Refused) -> Syntax.Interpolation {
        guard token.kind == .text else { throw refuse(expected: "a text in quotation marks") }
        let span = token.span
        advance()
        var parts: [Syntax.Interpolation.Piece] = []
        var words: [UInt8] = []
        var position = span.start + 1
        let end = textEnd(span)
        while position < end {
            let byte = source.bytes[position]
            guard byte == UInt8(ascii: "\\") else {
                words.append(byte)
                position += 1
                continue
            }
            if position + 1 < end, source.bytes[position + 1] == UInt8(ascii: "(") {
                let close = closingParenthesis(position + 2, end)
                if !words.isEmpty { parts.append(.words(String(decoding: words, as: UTF8.self))) }
                words = []
                parts.append(.value(try interpolation(Span(position + 2, close))))
                position = close + 1
            } else {
                words.append(try escape(at: position, end))
                position += 2
            }
        }
        if !words.isEmpty { parts.append(.words(String(decoding: words, as: UTF8.self))) }
        return Syntax.Interpolation(parts: parts, span: span)
    }

    /// The position of the closing quotation mark. A text with a reported error has none.
    private func textEnd(_ span: Span) -> Int {
        let hasEnd = span.end - span.start > 1 && source.bytes[span.end - 1] == UInt8(ascii: "\"")
        return hasEnd ? span.end - 1 : span.end
    }

    private func closingParenthesis(_ start: Int, _ end: Int) -> Int {
        var depth = 1
        for position in start..<max(start, end) {
            switch source.bytes[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return position }
            default: break
            }
        }
        return max(start, end)
    }

    private mutating func escape(at position: Int, _ end: Int) throws(Refused) -> UInt8 {
        let next = position + 1 < end ? source.bytes[position + 1] : UInt8(ascii: " ")
        switch next {
        case UInt8(ascii: "n"): return UInt8(ascii: "\n")
        case UInt8(ascii: "t"): return UInt8(ascii: "\t")
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): return next
        default:
            let span = Span(position, min(position + 2, max(end, position + 1)))
            diagnostics.report(LexicalProblem.unknownEscape(source.text(span)), at: span)
            throw Refused()
        }
    }

    private mutating func interpolation(_ span: Span) throws(Refused) -> Syntax.Expression {
        var lexer = Lexer(source, span, diagnostics: diagnostics)
        lexer.read()
        var parser = Parser(source, lexer)
        parser.depth = depth
        defer { diagnostics = parser.diagnostics }
        if let comment = parser.comments.first { throw parser.refuse(.commentInText, at: comment.span) }
        if parser.isAtEnd { throw parser.refuse(.emptyInterpolation, at: Span(span.start - 2, span.end + 1)) }
        let value = try parser.expression()
        if !parser.isAtEnd { throw parser.refuse(expected: "')'") }
        return value
    }
}
