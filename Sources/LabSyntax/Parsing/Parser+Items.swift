import Recipes

/// Declarations other than those of objects.
extension Parser {
    /// Nil: there was only a loose brace or a misplaced word.
    mutating func item() throws(Refused) -> Syntax.Item? {
        if case .recipe = token.kind { return .objects(try objects()) }
        guard case .keyword(let keyword) = token.kind else { return try itemWithoutKeyword() }
        switch keyword {
        case .parameter: return .parameter(try parameter())
        case .shared, .atomic, .mutex, .rwlock, .semaphore, .condition: return .objects(try objects())
        case .thread: return .thread(try thread())
        case .func: return .function(try function())
        case .finally:
            advance()
            let word = previous.span
            return .finally(try block(), word)
        case .run: return .run(try run())
        case .expect: return .expect(try expectation())
        case .scenario: throw refuse(SyntaxProblem.secondScenario)
        case .lock, .var, .let, .assert:
            throw refuse(.unknownItem(keyword.rawValue, instead: ForeignWords.item(keyword.rawValue)))
        default: throw refuse(.statementOutside(keyword.rawValue))
        }
    }

    private mutating func itemWithoutKeyword() throws(Refused) -> Syntax.Item? {
        if isAt(.closeBrace) {
            diagnostics.report(SyntaxProblem.looseBrace, at: token.span)
            advance()
            return nil
        }
        if isAtWord(.invariant) { return .expect(try invariant()) }
        if isItemWord(token) { return .objects(try objects()) }
        guard token.kind == .name else { throw refuse(.expected("a declaration", found: description(token))) }
        let word = text(token)
        if [Symbol.dot, .assign, .openParenthesis, .openBracket].contains(where: { token(after: 1).kind == .symbol($0) }
        ) {
            throw refuse(.statementOutside(word))
        }
        let known =
            Keyword.allCases.filter { $0.group == .declaration || $0.group == .modifier }.map(\.rawValue)
            + Recipe.all.map(\.word)
        throw refuse(.unknownItem(word, instead: ForeignWords.item(word) ?? suggestion(for: word, among: known)))
    }

    private mutating func parameter() throws(Refused) -> Syntax.ParameterDeclaration {
        let help = descriptionBefore(position)
        advance()
        let name = try expectName("the parameter")
        let type = try typeAnnotation()
        guard accept(.assign) else { throw refuse(.missingInitialValue, at: behindPrevious) }
        let value = try assignedValue()
        let range = accept(.in) ? try bounds() : nil
        return Syntax.ParameterDeclaration(name: name, type: type, value: value, range: range, help: help)
    }

    /// `1...8`
    mutating func bounds() throws(Refused) -> Syntax.Bounds {
        let lower = try expression()
        let isClosed = isAt(.through)
        guard accept(.through) || accept(.upTo) else { throw refuse(expected: "'...' or '..<'") }
        return Syntax.Bounds(lower: lower, upper: try expression(), isClosed: isClosed)
    }

    /// `: Int`, if there is one.
    mutating func typeAnnotation() throws(Refused) -> Syntax.TypeName? {
        accept(.colon) ? try typeName() : nil
    }

    mutating func typeName() throws(Refused) -> Syntax.TypeName {
        let start = token.span
        let isList = accept(.openBracket)
        if isList { roles.lists.insert(position - 1) }
        let types: [(Keyword, ValueType)] = [(.int, .integer), (.bool, .boolean), (.duration, .duration)]
        guard let type = types.first(where: { isAtWord($0.0) }) else {
            throw refuse(expected: "'Int', 'Bool' or 'Duration'")
        }
        advance()
        if isList { try expect(.closeBracket) }
        return Syntax.TypeName(type: type.1, isList: isList, span: start.through(previous.span))
    }

    private mutating func thread() throws(Refused) -> Syntax.ThreadDeclaration {
        advance()
        let name = try expectName("the thread")
        let count = try elementCount()
        return Syntax.ThreadDeclaration(name: name, count: count, body: try block())
    }

    /// `[3]`, if there is one.
    mutating func elementCount() throws(Refused) -> Syntax.Expression? {
        guard isAt(.openBracket), !token.startsLine else { return nil }
        advance()
        let count = try expression()
        try expect(.closeBracket)
        return count
    }

    private mutating func function() throws(Refused) -> Syntax.FunctionDeclaration {
        advance()
        let name = try expectName("the function")
        roles.calls.insert(position)
        try expect(.openParenthesis)
        var parameters: [Syntax.FunctionDeclaration.Parameter] = []
        while !isAt(.closeParenthesis) {
            let name = try expectName("the parameter")
            parameters.append(Syntax.FunctionDeclaration.Parameter(name: name, type: try typeAnnotation()))
            if !accept(.comma) { break }
        }
        try expect(.closeParenthesis, "',' or ')'")
        let result = accept(.arrow) ? try typeName() : nil
        return Syntax.FunctionDeclaration(name: name, parameters: parameters, result: result, body: try block())
    }
}
