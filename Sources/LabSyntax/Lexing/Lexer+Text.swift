/// Texts between quotation marks. The parser later splits the contents of `\( )` into tokens.
extension Lexer {
    mutating func readText() {
        let start = position
        position += 1
        var depth = 0
        while let byte = peek(0), byte != UInt8(ascii: "\n") {
            position += 1
            switch byte {
            case UInt8(ascii: "\\") where depth == 0:
                if peek(0) == UInt8(ascii: "(") { depth = 1 }
                if let next = peek(0), next != UInt8(ascii: "\n") { position += 1 }
            case UInt8(ascii: "(") where depth > 0: depth += 1
            case UInt8(ascii: ")") where depth > 0: depth -= 1
            case UInt8(ascii: "\""):
                if depth > 0 {
                    diagnostics.report(LexicalProblem.textInsideText, at: Span(position - 1, position))
                }
                return finishText(from: start)
            default: break
            }
        }
        diagnostics.report(LexicalProblem.openText, at: Span(start, position))
        append(.text, from: start)
    }

    private mutating func finishText(from start: Int) {
        if position - start > Limits.textBytes {
            diagnostics.report(LexicalProblem.textTooLong, at: Span(start, position))
        }
        append(.text, from: start)
    }
}
