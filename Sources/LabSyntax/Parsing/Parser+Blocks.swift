/// Blocks of statements.
extension Parser {
    mutating func block() throws(Refused) -> Syntax.Block {
        let brace = token.span
        try expect(.openBrace)
        return try nested { parser throws(Refused) in
            var statements: [Syntax.Statement] = []
            while !parser.isAt(.closeBrace), !parser.diagnostics.isFull {
                if parser.isAtEnd || parser.beginsItem { throw parser.refuseOpen(brace) }
                if parser.accept(.semicolon) { continue }
                if let statement = parser.statementOrRecovery() { statements.append(statement) }
            }
            try parser.expect(.closeBrace)
            return Syntax.Block(statements: statements, span: brace.through(parser.previous.span))
        }
    }

    /// Nil: it has been reported and skipped.
    private mutating func statementOrRecovery() -> Syntax.Statement? {
        let start = position
        roles.statements.insert(start)
        do throws(Refused) {
            let statement = try statement()
            try expectEnd(ofStatementFrom: start)
            return statement
        } catch {
            if tokens[start].kind == .keyword(.let) || tokens[start].kind == .keyword(.var) { hasLostNames = true }
            if !beginsItem, !(position > start && token.startsLine) { skipStatement() }
            return nil
        }
    }

    private mutating func refuseOpen(_ brace: Span) -> Refused {
        let problem = SyntaxProblem.openBrace(before: isAtEnd ? "the end of the file" : description(token))
        let note = Diagnostic.Note(message: "this is the '{' that it closes", span: brace)
        return refuse(problem, at: isAtEnd ? behindPrevious : token.span, notes: [note])
    }
}
