/// Expressions, by precedence climbing.
extension Parser {
    mutating func expression() throws(Refused) -> Syntax.Expression {
        try nested { parser throws(Refused) in
            let value = try parser.binary(above: 0)
            if parser.isAt(.question), !parser.token.startsLine {
                throw parser.refuse(.noSuchOperator("?", instead: Self.hint(forSign: .question)))
            }
            return value
        }
    }

    /// Parses operands joined by operators whose precedence is above the level.
    private mutating func binary(above level: Int) throws(Refused) -> Syntax.Expression {
        var left = try prefix()
        while let (sign, precedence) = binaryOperator, precedence > level {
            if isArrow { throw refuse(.noSuchOperator("<-", instead: Self.hintForChannel)) }
            let mark = token.span
            advance()
            let right = try nested { parser throws(Refused) in try parser.binary(above: precedence) }
            left = try checkedNode(
                .binary(sign, left, right), left.span.through(right.span), mark, max(left.height, right.height))
            if precedence == Self.comparison, binaryOperator?.precedence == Self.comparison {
                throw refuse(.comparisonChain)
            }
        }
        return left
    }

    /// The precedence of comparisons. Precedences are 1 to 6; operators with a higher one bind more tightly.
    private static let comparison = 3

    /// The operator at this token and its precedence, if the expression continues. As in Swift, a `-` on a new line
    /// continues the expression only if a space follows it.
    private var binaryOperator: (sign: Syntax.Expression.Binary, precedence: Int)? {
        guard case .symbol(let symbol) = token.kind else { return nil }
        if token.startsLine, symbol == .subtract, token(after: 1).span.start == token.span.end { return nil }
        switch symbol {
        case .or: return (.or, 1)
        case .and: return (.and, 2)
        default: break
        }
        guard let sign = Operator(rawValue: symbol.rawValue), let precedence = Self.precedence(of: sign) else {
            return nil
        }
        return (.strict(sign), precedence)
    }

    /// The precedence of the operator. Nil: it is not written between operands.
    private static func precedence(of sign: Operator) -> Int? {
        switch sign {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: comparison
        case .add, .subtract, .bitOr, .bitXor: 4
        case .multiply, .divide, .remainder, .bitAnd: 5
        case .shiftLeft, .shiftRight: 6
        case .least, .greatest: nil
        }
    }

    /// Makes an expression without a check of its height.
    ///
    /// - Parameters:
    ///   - mark: the part of the expression to which messages point. Nil: all of it.
    ///   - height: the height of its highest operand; 0 if it has none.
    func node(
        _ kind: Syntax.Expression.Kind, _ span: Span, _ mark: Span? = nil, _ height: Int = 0
    ) -> Syntax.Expression {
        Syntax.Expression(kind: kind, span: span, mark: mark ?? span, height: height + 1)
    }

    /// Makes an expression, or refuses one that is too high.
    private mutating func checkedNode(
        _ kind: Syntax.Expression.Kind, _ span: Span, _ mark: Span, _ height: Int
    ) throws(Refused) -> Syntax.Expression {
        if height >= Limits.nesting { throw refuse(SyntaxProblem.tooHigh, at: mark) }
        return Syntax.Expression(kind: kind, span: span, mark: mark, height: height + 1)
    }

    private mutating func prefix() throws(Refused) -> Syntax.Expression {
        let mark = token.span
        switch token.kind {
        case .symbol(.subtract):
            roles.prefixes.insert(position)
            advance()
            if let number = try negativeNumber(mark) { return try postfix(number) }
            return try prefix(.minus, mark)
        case .symbol(.not):
            advance()
            return try prefix(.not, mark)
        case .symbol(.invert):
            advance()
            return try prefix(.invert, mark)
        default: return try postfix(try primary())
        }
    }

    private mutating func prefix(_ sign: Syntax.Expression.Prefix, _ mark: Span) throws(Refused) -> Syntax.Expression {
        let operand = try nested { parser throws(Refused) in try parser.prefix() }
        return try checkedNode(.prefix(sign, operand), mark.through(operand.span), mark, operand.height)
    }

    /// Parses the subscripts and members after an expression. A `[` or `(` on a new line begins a new statement; a `.`
    /// does not.
    private mutating func postfix(_ base: Syntax.Expression) throws(Refused) -> Syntax.Expression {
        var value = base
        while true {
            if isAt(.dot) {
                value = try member(of: value)
            } else if isAt(.openBracket), !token.startsLine {
                advance()
                let index = try expression()
                try expect(.closeBracket)
                let span = value.span.through(previous.span)
                value = try checkedNode(.subscripted(value, index), span, span, max(value.height, index.height))
            } else {
                return value
            }
        }
    }

    private mutating func member(of base: Syntax.Expression) throws(Refused) -> Syntax.Expression {
        advance()
        let name: Syntax.Name
        switch token.kind {
        case .name, .keyword:
            name = Syntax.Name(text: text(token), span: token.span)
            advance()
        case .symbol(.dot): throw refuse(.twoDots)
        default: throw refuse(expected: "a member's name after '.'")
        }
        let arguments = isAt(.openParenthesis) && !token.startsLine ? try arguments() : nil
        let height = (arguments ?? []).map(\.value.height).reduce(base.height, max)
        return try checkedNode(.member(base, name, arguments), base.span.through(previous.span), name.span, height)
    }

    /// Parses arguments such as `(1, for: 10ms)`.
    mutating func arguments() throws(Refused) -> [Syntax.Argument] {
        roles.calls.insert(position)
        try expect(.openParenthesis)
        var arguments: [Syntax.Argument] = []
        while !isAt(.closeParenthesis) {
            var label: Syntax.Name?
            if token(after: 1).kind == .symbol(.colon) {
                label = Syntax.Name(text: text(token), span: token.span)
                advance()
                advance()
            }
            arguments.append(Syntax.Argument(label: label, value: try expression()))
            if !accept(.comma) { break }
        }
        try expect(.closeParenthesis, "',' or ')'")
        return arguments
    }

    /// Parses a name with or without a subscript: an object that is locked, a thread that is joined, and so on.
    mutating func place() throws(Refused) -> Syntax.Expression {
        if let hint = hintForPlace { throw refuse(expected: "the object's name", hint: hint) }
        let name = try expectName("the object")
        let base = node(.name(name.text), name.span)
        guard isAt(.openBracket), !token.startsLine else { return base }
        advance()
        let index = try expression()
        try expect(.closeBracket)
        let span = name.span.through(previous.span)
        return try checkedNode(.subscripted(base, index), span, span, index.height)
    }
}
