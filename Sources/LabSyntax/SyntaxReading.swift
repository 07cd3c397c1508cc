/// What came of reading a text's syntax: the tree, whatever is wrong with it.
package struct SyntaxReading {
    /// Nil: the text is too large to be looked at.
    package let file: Syntax.File?
    package let diagnostics: Diagnostics
    /// Whether a declaration could not be read, so that names may seem unknown that are not.
    package let hasLostNames: Bool
}

extension SourceText {
    package func syntax() -> SyntaxReading {
        let (file, parser) = parsed()
        return SyntaxReading(file: file, diagnostics: parser.diagnostics, hasLostNames: parser.hasLostNames)
    }

    /// The syntax tree, and the parser that has read it, which knows the comments. Nil: the text is too large to be looked at.
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
