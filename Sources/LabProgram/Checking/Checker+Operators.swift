import LabSyntax

/// Checks operators and the types of their operands.
extension Checker {
    mutating func prefix(
        _ sign: Syntax.Expression.Prefix, _ operand: Syntax.Expression, _ expression: Syntax.Expression
    ) throws(Refused) -> Program.Expression {
        let value = try value(operand)
        let type = value.type ?? .integer
        let site = site(expression.span)
        switch (sign, type) {
        case (.minus, .integer), (.minus, .duration):
            return Program.Expression(kind: .negate(value), type: type, site: site)
        case (.invert, .integer): return Program.Expression(kind: .invert(value), type: type, site: site)
        case (.not, .boolean): return Program.Expression(kind: .not(value), type: type, site: site)
        default: throw refuse(TypeProblem.wrongOperand(source.text(expression.mark), type), at: expression.span)
        }
    }

    mutating func binary(
        _ sign: Syntax.Expression.Binary, _ left: Syntax.Expression, _ right: Syntax.Expression,
        _ expression: Syntax.Expression
    ) throws(Refused) -> Program.Expression {
        if case .strict(let sign) = sign, sign == .equal || sign == .notEqual,
            let comparison = try listComparison(sign, left, right, expression)
        {
            return comparison
        }
        // Both sides are checked, even if the first is wrong, to report all errors.
        let first = attempt { checker throws(Refused) in try checker.value(left) }
        let second = attempt { checker throws(Refused) in try checker.value(right) }
        guard let first, let second else { throw refusal() }
        let site = site(expression.span)
        switch sign {
        case .and, .or:
            for (operand, side) in [(first, left), (second, right)] where operand.type != .boolean {
                throw refuse(TypeProblem.mismatch(wanted: .boolean, found: operand.type ?? .integer), at: side.span)
            }
            let isAnd = if case .and = sign { true } else { false }
            return Program.Expression(
                kind: isAnd ? .and(first, second) : .or(first, second), type: .boolean, site: site)
        case .strict(let sign):
            let type = try resultType(
                sign, first.type ?? .integer, second.type ?? .integer, at: expression.span)
            let result = Program.Expression(kind: .binary(sign, first, second), type: type, site: site)
            try refuseImpossible(result, at: expression.span)
            return result
        }
    }

    /// Rejects an operation that has no result, as far as the text alone shows.
    mutating func refuseImpossible(_ expression: Program.Expression, at span: Span) throws(Refused) {
        if case .binary(let sign, _, let right) = expression.kind, sign == .divide || sign == .remainder,
            case .constant(0) = right.kind
        {
            throw refuse(ValueProblem.noResult(.divisionByZero), at: span)
        }
        guard expression.isLiteral else { return }
        do throws(ConstantEvaluator.Failure) {
            _ = try ConstantEvaluator(arguments: []).value(of: expression)
        } catch {
            throw refuse(ValueProblem.noResult(error.reason), at: span)
        }
    }

    /// The type of the result. Refuses operands to which the operator cannot be applied.
    mutating func resultType(
        _ sign: Operator, _ left: ValueType, _ right: ValueType, at span: Span
    ) throws(Refused) -> ValueType {
        switch sign {
        case .equal, .notEqual:
            if left == right { return .boolean }
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            if left == right, left != .boolean { return .boolean }
        case .add, .subtract:
            if left == right, left != .boolean { return left }
        case .multiply:
            if left == .integer, right != .boolean { return right }
            if left == .duration, right == .integer { return .duration }
        case .divide:
            if left != .boolean, right == .integer { return left }
        default:
            if left == .integer, right == .integer { return .integer }
        }
        if left != right { throw refuse(TypeProblem.differentOperands(sign.rawValue, left, right), at: span) }
        throw refuse(TypeProblem.wrongOperand(sign.rawValue, left), at: span)
    }

    /// Checks a comparison such as `buffer == [1, 2]`. Nil: neither side is a list in square brackets.
    private mutating func listComparison(
        _ sign: Operator, _ left: Syntax.Expression, _ right: Syntax.Expression,
        _ expression: Syntax.Expression
    ) throws(Refused) -> Program.Expression? {
        let list: Syntax.Expression
        let literal: [Syntax.Expression]
        switch (left.kind, right.kind) {
        case (_, .list(let values)): (list, literal) = (left, values)
        case (.list(let values), _): (list, literal) = (right, values)
        default: return nil
        }
        if mode == .constant { throw refuse(RuleProblem.notConstant(instead: nil), at: expression.span) }
        let place = try listPlace(list)
        let type = program.objects[place.object].kind.elementType ?? .integer
        var values: [Program.Expression] = []
        for value in literal { values.append(try self.value(value, type)) }
        let site = site(expression.span)
        let equals = Program.Expression(kind: .equals(list: place.object, values), type: .boolean, site: site)
        return sign == .equal ? equals : Program.Expression(kind: .not(equals), type: .boolean, site: site)
    }

    /// Checks the name of a list.
    mutating func listPlace(_ expression: Syntax.Expression) throws(Refused) -> Program.Place {
        guard case .name = expression.kind else { throw refuse(TypeProblem.listLiteral, at: expression.span) }
        let place = try place(expression, "list") { if case .list = $0 { true } else { false } }
        usage.read.insert(place.object)
        return place
    }
}
