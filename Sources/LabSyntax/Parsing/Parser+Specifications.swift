/// `specification { … }`: a block of `shared` variables and functions, which say what the program's functions of the
/// same names should do.
extension Parser {
    mutating func specification() throws(Refused) -> Syntax.SpecificationDeclaration {
        advance()
        let word = previous.span
        let brace = token.span
        advance()
        var items: [Syntax.Item] = []
        while !isAt(.closeBrace) {
            // A line that begins a declaration other than a function, which may be part of the specification, shows
            // that the `}` is missing.
            if isAtEnd || beginsItem && !isAt(.func) {
                let note = Diagnostic.Note(message: "this is the '{' that it closes", span: brace)
                throw refuse(.openBrace(before: lineEnd), at: behindPrevious, notes: [note])
            }
            if accept(.semicolon) { continue }
            let start = position
            roles.statements.insert(start)
            do throws(Refused) {
                guard isAt(.shared) || isAt(.func) else { throw refuse(.notInSpecification, at: token.span) }
                if let item = try item() { items.append(item) }
                try expectEnd(ofStatementFrom: start)
            } catch {
                if diagnostics.isFull { throw error }
                hasLostNames = true
                // If parsing stopped where the next item begins, that item is not skipped.
                if position == start || !(token.startsLine && isItemWord(token)) { skipItem(from: start) }
            }
        }
        try expect(.closeBrace)
        return Syntax.SpecificationDeclaration(items: items, word: word)
    }
}
