/// A word, number, sign or text of the source, without its meaning.
package struct SourceWord: Equatable, Sendable {
    package var text: String
    package var span: Span
    /// Whether it is a name or a keyword.
    package var isWord: Bool
    /// Whether it is the first on its line, and whether it begins a statement or a declaration.
    package var startsLine: Bool
    package var beginsStatement = false
    /// The nesting depth in texts: 1 for a value in a text.
    package var depth = 0
}

extension SourceText {
    /// The words of the text, in order, without comments. A text's words are followed by those of the values in it. A
    /// text that cannot be read has none.
    package func words() -> [SourceWord] {
        let parser = parsed().parser
        return parser.tokens.dropLast().enumerated().flatMap { number, token in
            var words = words(token)
            words[0].beginsStatement = parser.roles.statements.contains(number)
            return words
        }
    }

    private func words(_ token: Token, depth: Int = 0) -> [SourceWord] {
        let isWord =
            switch token.kind {
            case .name, .keyword, .recipe: true
            case .number, .text, .symbol, .end: false
            }
        let word = SourceWord(
            text: text(token.span), span: token.span, isWord: isWord, startsLine: token.startsLine && depth == 0,
            depth: depth)
        guard token.kind == .text, depth == 0 else { return [word] }
        return [word]
            + valueSpans(in: token.span).flatMap { span in
                var lexer = Lexer(self, span)
                lexer.read()
                return lexer.tokens.dropLast().flatMap { words($0, depth: 1) }
            }
    }

    /// The places between `\(` and `)` in a text.
    private func valueSpans(in span: Span) -> [Span] {
        var spans: [Span] = []
        var position = span.start + 1
        while position + 1 < span.end {
            if bytes[position] == UInt8(ascii: "\\") {
                if bytes[position + 1] == UInt8(ascii: "(") {
                    let close = closingParenthesis(from: position + 2, before: span.end)
                    spans.append(Span(position + 2, close))
                    position = close
                }
                position += 1
            }
            position += 1
        }
        return spans
    }

    /// The `)` that closes a value in a text, or the end if there is none.
    func closingParenthesis(from start: Int, before end: Int) -> Int {
        var depth = 1
        for position in start..<max(start, end) {
            switch bytes[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return position }
            default: break
            }
        }
        return max(start, end)
    }
}
