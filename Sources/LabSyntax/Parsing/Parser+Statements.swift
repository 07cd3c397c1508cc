import Recipes
import Text

/// Statements.
extension Parser {
    mutating func statement() throws(Refused) -> Syntax.Statement {
        let start = token.span
        let kind = try statementKind()
        return Syntax.Statement(kind: kind, span: start.through(previous.span))
    }

    private mutating func statementKind() throws(Refused) -> Syntax.Statement.Kind {
        if case .recipe(let recipe) = token.kind { return try enclosed(recipe) }
        guard case .keyword(let keyword) = token.kind else { return try simpleStatement() }
        switch keyword {
        case .let, .var: return .variable(try variable())
        case .if: return try ifStatement()
        case .while, .for, .repeat: return try loop(keyword)
        case .break, .continue, .return, .yield: return try leave(keyword)
        case .lock: return try guarded(keyword)
        case .await, .assert, .note, .sleep: return try wordStatement(keyword)
        case .spawn, .join, .detach: return try threadStatement(keyword)
        case .true, .false, .index, .choose: return try simpleStatement()
        case .else, .in: throw refuse(expected: "a statement")
        case .with: throw refuse(expected: "a statement", hint: ForeignWords.statement("with"))
        default:
            throw refuse(.declarationInside(keyword.rawValue))
        }
    }

    private mutating func variable() throws(Refused) -> Syntax.VariableDeclaration {
        let isConstant = isAt(.let)
        advance()
        let word = text(previous)
        let name = try expectName("the variable")
        try refuseType(before: name, word)
        let type = try typeAnnotation()
        guard accept(.assign) else {
            throw refuse(.missingInitialValue(isBoolean: text(previous) == "Bool"), at: behindPrevious)
        }
        return Syntax.VariableDeclaration(isConstant: isConstant, name: name, type: type, value: try assignedValue())
    }

    private mutating func ifStatement() throws(Refused) -> Syntax.Statement.Kind {
        var branches: [Syntax.Branch] = []
        repeat {
            advance()
            let condition = try condition()
            branches.append(Syntax.Branch(condition: condition, block: try block()))
            guard accept(.else) else { return .if(branches, otherwise: nil) }
        } while isAt(.if)
        return .if(branches, otherwise: try block())
    }

    private mutating func loop(_ keyword: Keyword) throws(Refused) -> Syntax.Statement.Kind {
        advance()
        switch keyword {
        case .while:
            let condition = try condition()
            return .while(condition, try block())
        case .for:
            if isAt(.openParenthesis) || isAt(.openBrace) { throw refuseLoop(expected: "the variable's name") }
            let name = try expectName("the variable")
            guard accept(.in) else { throw refuseLoop(expected: "'in'") }
            let bounds = try bounds()
            return .for(name, bounds, try block())
        default:
            guard !isAt(.openBrace) else { throw refuse(expected: "how often, for example 'repeat 3 { … }'") }
            let count = try expression()
            return .repeat(count, try block())
        }
    }

    /// Parses `break`, `continue`, `return` or `yield`. Also accepts `yield()`, a habit from other languages.
    private mutating func leave(_ keyword: Keyword) throws(Refused) -> Syntax.Statement.Kind {
        advance()
        switch keyword {
        case .break: return .break
        case .continue: return .continue
        case .yield:
            if isAt(.openParenthesis), token(after: 1).kind == .symbol(.closeParenthesis) {
                roles.calls.insert(position)
                advance()
                advance()
            }
            return .yield
        default:
            let isBare = token.startsLine || isAt(.semicolon) || isAt(.closeBrace) || isAtEnd
            return .return(isBare ? nil : try expression())
        }
    }

    /// Parses `lock m { … }`, `reading r { … }` and `writing r { … }`.
    private mutating func guarded(_ keyword: Keyword) throws(Refused) -> Syntax.Statement.Kind {
        advance()
        let place = try place()
        guard isAt(.openBrace) else {
            let written = "\(source.text(place.span)).lock()"
            throw refuse(expected: keyword == .lock ? "'{' (or write '\(written.printable)')" : "'{'")
        }
        let block = try block()
        switch keyword {
        case .reading: return .locked(.reading, place, block)
        case .writing: return .locked(.writing, place, block)
        default: return .locked(.mutex, place, block)
        }
    }

    /// Parses a block that belongs to a built object: `once o { … }`.
    private mutating func enclosed(_ recipe: Recipe) throws(Refused) -> Syntax.Statement.Kind {
        guard recipe.block != nil else { throw refuse(.declarationInside(recipe.word)) }
        advance()
        let place = try place()
        guard isAt(.openBrace) else { throw refuse(expected: "'{'") }
        return .enclosed(recipe, place, try block())
    }

    private mutating func wordStatement(_ keyword: Keyword) throws(Refused) -> Syntax.Statement.Kind {
        advance()
        switch keyword {
        case .await: return .await(try condition())
        case .note: return .note(try textInParenthesesOrNot())
        case .sleep: return .sleep(try expression())
        default:
            let condition = try condition()
            return .assert(condition, accept(.comma) ? try text() : nil)
        }
    }

    /// Parses the string literal after `note`. Also accepts `note("…")`, a habit from other languages.
    private mutating func textInParenthesesOrNot() throws(Refused) -> Syntax.Interpolation {
        roles.calls.insert(position)
        if isAt(.apostrophe) { throw refuse(expected: "a text", hint: hintForValue()) }
        if token.kind == .name, !token.startsLine {
            throw refuse(expected: "a text", hint: "write 'note \"\\(\(text(token).printable))\"'")
        }
        guard accept(.openParenthesis) else { return try text() }
        let text = try text()
        try expect(.closeParenthesis)
        return text
    }

    private mutating func threadStatement(_ keyword: Keyword) throws(Refused) -> Syntax.Statement.Kind {
        advance()
        let thread = try place()
        switch keyword {
        case .spawn: return .spawn(thread)
        case .join: return .join(thread)
        default: return .detach(thread)
        }
    }

    /// Parses the value after `=`, `+=` and so on. If the next line begins with two names, such as `reading r { … }`,
    /// it is the next statement, and the value is missing.
    mutating func assignedValue() throws(Refused) -> Syntax.Expression {
        let isOnNextLine = token.startsLine
        let (sign, place) = (text(previous), behindPrevious)
        let value = try expression()
        let continues = !token.startsLine && token.kind == .name
        if isOnNextLine, continues { throw refuse(.missingValue(sign), at: place) }
        return value
    }

    private func endsStatement(_ token: Token) -> Bool {
        token.startsLine || token.kind == .symbol(.semicolon) || token.kind == .symbol(.closeBrace)
            || token.kind == .end
    }

    /// Parses `progress`, a block of `reading` or `writing`, an assignment, or an expression such as a call.
    private mutating func simpleStatement() throws(Refused) -> Syntax.Statement.Kind {
        if token(after: 1).kind == .name, !token(after: 1).startsLine {
            if isAtWord(.reading) { return try guarded(.reading) }
            if isAtWord(.writing) { return try guarded(.writing) }
        }
        if isAtWord(.progress), endsStatement(token(after: 1)) {
            advance()
            return .progress
        }
        if isAt(.increment) || isAt(.decrement) { throw refuse(.increment(text(token))) }
        let target = try expression()
        guard case .symbol(let symbol) = token.kind, !token.startsLine else { return .expression(target) }
        if symbol == .assign {
            advance()
            return .assign(target, nil, try assignedValue())
        }
        if let sign = symbol.assignedOperator {
            advance()
            return .assign(target, sign, try assignedValue())
        }
        if symbol == .increment || symbol == .decrement { throw refuse(.increment(symbol.rawValue)) }
        return .expression(target)
    }
}

/// Blocks of statements.
extension Parser {
    /// - Parameter hint: for the message if no block begins here. Nil: a hint by the token that is found instead.
    mutating func block(orElse hint: String? = nil) throws(Refused) -> Syntax.Block {
        let brace = token.span
        try expectBody(hint)
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

    /// Parses a statement. Nil: it has an error, which has been reported, and is skipped.
    private mutating func statementOrRecovery() -> Syntax.Statement? {
        let start = position
        roles.statements.insert(start)
        do throws(Refused) {
            let statement = try statement()
            try expectEnd(ofStatementFrom: start)
            return statement
        } catch {
            if tokens[start].kind == .keyword(.let) || tokens[start].kind == .keyword(.var) { hasLostNames = true }
            // A token that begins a line may begin the next statement.
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
