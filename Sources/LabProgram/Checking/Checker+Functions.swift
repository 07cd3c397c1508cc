import LabSyntax

/// Checks calls of the language's own functions. `min`, `max` and `abs` calculate like operators and take no step, so
/// they are allowed wherever operators are. `fence` is a statement (`Checker+Orders`).
extension Checker {
    /// The built-in function of this name, unless the file declares the name.
    func ownFunction(_ name: Syntax.Name) -> Keyword? {
        guard globals[name.text] == nil, let word = Keyword(rawValue: name.text), word.group == .function else {
            return nil
        }
        return word
    }

    mutating func call(
        _ function: Keyword, _ name: Syntax.Name, _ arguments: [Syntax.Argument], _ span: Span
    ) throws(Refused) -> Program.Expression {
        if function == .fence { throw refuse(TypeProblem.noValue(name.text), at: name.span) }
        let isUnary = function == .abs
        guard isUnary ? arguments.count == 1 : arguments.count >= 2 else {
            let usage = isUnary ? "abs(a)" : "\(function.rawValue)(a, b)"
            throw refuse(TypeProblem.wrongCount(name.text, usage: [usage]), at: span)
        }
        try checkLabels(arguments, arguments.map { _ in nil })
        var operands: [Program.Expression] = []
        for argument in arguments { operands.append(try value(argument.value)) }
        let type = operands[0].type ?? .integer
        if let other = operands.first(where: { $0.type != type })?.type {
            throw refuse(TypeProblem.differentOperands(function.rawValue, type, other), at: span)
        }
        if type == .boolean { throw refuse(TypeProblem.wrongOperand(function.rawValue, type), at: span) }
        let site = site(span)
        let result =
            isUnary
            ? Program.Expression(kind: .absolute(operands[0]), type: type, site: site)
            : operands.dropFirst().reduce(operands[0]) { result, operand in
                let sign = function == .min ? Operator.least : .greatest
                return Program.Expression(kind: .binary(sign, result, operand), type: type, site: site)
            }
        try refuseImpossible(result, at: span)
        return result
    }

    /// A hint if a declaration hides the built-in function of this name. Nil: there is no such function.
    func hidden(_ name: String) -> String? {
        Keyword(rawValue: name)?.group == .function ? "rename it: it hides the function '\(name)'" : nil
    }
}
