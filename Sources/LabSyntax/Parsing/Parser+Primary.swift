/// Primary expressions.
extension Parser {
    mutating func primary() throws(Refused) -> Syntax.Expression {
        let start = token.span
        switch token.kind {
        case .number: return try number(isNegative: false, from: start)
        case .name: return try nameOrCall()
        case .keyword(.true), .keyword(.false):
            advance()
            return node(.boolean(previous.kind == .keyword(.true)), start)
        case .keyword(.index):
            advance()
            return node(.index, start)
        case .keyword(.choose):
            advance()
            let arguments = try arguments()
            return node(.choose(arguments), start.through(previous.span), start, height(of: arguments))
        case .symbol(.openParenthesis):
            advance()
            let value = try expression()
            if isAt(.upTo) || isAt(.through) { throw refuse(.rangeAsValue) }
            try expect(.closeParenthesis)
            return value
        case .symbol(.openBracket): return try list()
        default: throw refusePrimary()
        }
    }

    private mutating func refusePrimary() -> Refused {
        switch token.kind {
        case .text: return refuse(.textAsValue)
        case .keyword where !token.startsLine, .recipe where !token.startsLine:
            return refuse(.keywordAsName(text(token)))
        case .symbol(let symbol) where symbol == .increment || symbol == .decrement:
            return refuse(.increment(symbol.rawValue))
        default: return refuse(expected: "a value")
        }
    }

    private mutating func nameOrCall() throws(Refused) -> Syntax.Expression {
        let name = Syntax.Name(text: text(token), span: token.span)
        advance()
        guard isAt(.openParenthesis), !token.startsLine else { return node(.name(name.text), name.span) }
        let arguments = try arguments()
        return node(.call(name, arguments), name.span.through(previous.span), name.span, height(of: arguments))
    }

    private func height(of arguments: [Syntax.Argument]) -> Int { arguments.map(\.value.height).max() ?? 0 }

    private mutating func list() throws(Refused) -> Syntax.Expression {
        let start = token.span
        roles.lists.insert(position)
        advance()
        var values: [Syntax.Expression] = []
        while !isAt(.closeBracket) {
            values.append(try expression())
            if !accept(.comma) { break }
        }
        try expect(.closeBracket, "',' or ']'")
        return node(.list(values), start.through(previous.span), nil, values.map(\.height).max() ?? 0)
    }

    // MARK: - Numbers

    /// A number directly after a `-`, so that the smallest integer can be written. Nil: something else is there.
    mutating func negativeNumber(_ sign: Span) throws(Refused) -> Syntax.Expression? {
        guard token.kind == .number else { return nil }
        return try number(isNegative: true, from: sign)
    }

    private mutating func number(isNegative: Bool, from start: Span) throws(Refused) -> Syntax.Expression {
        let span = start.through(token.span)
        do throws(SyntaxProblem) {
            let value = try NumberText(text(token)).value(isNegative: isNegative)
            advance()
            return node(value, span)
        } catch {
            let refused = refuse(error)
            // Only the number is wrong: what follows it can be parsed.
            advance()
            throw refused
        }
    }
}
