/// What came of reading a `.lab` file.
package struct LabReading: Sendable {
    /// Nil if there is an error.
    package let program: Program?
    /// Errors and warnings, in the order of the text.
    package let diagnostics: [Diagnostic]

    package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }
}

extension SourceText {
    /// Reads the text as a `.lab` file.
    ///
    /// - Parameter builtIns: the scenarios that `run` may name. Nil: any.
    package func read(builtIns: [KnownScenario]? = nil) -> LabReading {
        var (file, parser) = parsed()
        guard let file else { return LabReading(program: nil, diagnostics: parser.diagnostics.sorted) }
        var checker = Checker(self, builtIns: builtIns, after: parser)
        checker.check(file)
        parser.diagnostics = checker.diagnostics
        let isRight = parser.diagnostics.errors.isEmpty
        return LabReading(program: isRight ? checker.program : nil, diagnostics: parser.diagnostics.sorted)
    }

    /// The syntax tree, whatever is wrong with it. Nil: the text is too large to be looked at.
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

extension SourceText {
    /// The text in its canonical form: what it means, and its comments, stay.
    ///
    /// - Throws: what is wrong with a text that is not well-formed. Names and types make no difference.
    package func formatted() throws(Unformatted) -> String {
        let (file, parser) = parsed()
        guard file != nil, parser.diagnostics.errors.isEmpty else {
            throw Unformatted(diagnostics: parser.diagnostics.sorted)
        }
        var formatter = SourceFormatter(parser)
        return formatter.format()
    }
}

/// Why a text cannot be formatted.
package struct Unformatted: Error {
    package let diagnostics: [Diagnostic]
}
