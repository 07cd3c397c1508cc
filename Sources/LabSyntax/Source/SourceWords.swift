/// A token of the source for other modules, such as those that compare two programs or answer an editor: its text and
/// place, without its meaning.
package struct SourceWord: Equatable, Sendable {
    package var text: String
    package var span: Span
    /// Whether it is a name or a keyword, rather than a number, string literal or symbol.
    package var isWord: Bool
    /// Whether it is the first on its line.
    package var startsLine: Bool
    /// Whether it begins a statement or a declaration.
    package var beginsStatement = false
    /// 1 for a token inside `\( )` in a string literal; 0 for all others.
    package var depth = 0
}

extension SourceText {
    /// The tokens of the source, in order, without comments. After a string literal come the tokens inside its `\( )`.
    /// Empty if the source is too large.
    package func words() -> [SourceWord] {
        let parser = parsed().parser
        return parser.tokens.dropLast().enumerated().flatMap { number, token in
            var found = sourceWords(token)
            found[0].beginsStatement = parser.roles.statements.contains(number)
            return found
        }
    }

    /// The token, and those inside the `\( )` of a string literal.
    private func sourceWords(_ token: Token, depth: Int = 0) -> [SourceWord] {
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
                return lexer.tokens.dropLast().flatMap { sourceWords($0, depth: 1) }
            }
    }

    /// The places between `\(` and `)` in a string literal.
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

    /// The offset of the `)` that closes a `\(` of a string literal, or `end` if there is none.
    ///
    /// - Parameter start: the offset after `\(`.
    func closingParenthesis(from start: Int, before end: Int) -> Int {
        var depth = 1
        for position in start..<end {
            switch bytes[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return position }
            default: break
            }
        }
        return end
    }
}
