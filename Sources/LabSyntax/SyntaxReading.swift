/// The result of parsing a `.lab` file: the syntax tree, and the errors.
package struct SyntaxReading {
    /// Lacks the parts with errors. Nil: the text is too large.
    package let file: Syntax.File?
    package let diagnostics: Diagnostics
    /// Whether a part that may declare names could not be parsed, so that uses of these names may seem to be unknown.
    package let hasLostNames: Bool
}

extension SourceText {
    /// Parses the text. `LabProgram` then resolves names and checks types.
    package func syntax() -> SyntaxReading {
        let (file, parser) = parsed()
        return SyntaxReading(file: file, diagnostics: parser.diagnostics, hasLostNames: parser.hasLostNames)
    }

    /// The syntax tree, and the parser that made it, which has the tokens, the comments and the errors. The tree is nil
    /// if the text is too large.
    func parsed() -> (file: Syntax.File?, parser: Parser) {
        var lexer = Lexer(self)
        guard bytes.count <= Limits.fileBytes else {
            lexer.diagnostics.report(LexicalProblem.fileTooLarge(bytes: bytes.count), at: Span(0, 0))
            lexer.tokens = [Token(kind: .end, span: Span(0, 0), startsLine: true)]
            return (nil, Parser(self, lexer))
        }
        lexer.read()
        var parser = Parser(self, lexer)
        let file = parser.file()
        return (file, parser)
    }
}
