/// The result of reading a text's syntax: the tree, and the errors.
package struct SyntaxReading {
    /// Nil: the text is too large.
    package let file: Syntax.File?
    package let diagnostics: Diagnostics
    /// Whether a declaration could not be read, so that its names may seem unknown.
    package let hasLostNames: Bool
}

extension SourceText {
    package func syntax() -> SyntaxReading {
        let (file, parser) = parsed()
        return SyntaxReading(file: file, diagnostics: parser.diagnostics, hasLostNames: parser.hasLostNames)
    }

    /// The syntax tree, and its parser, which has the comments. The tree is nil if the text is too large.
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
