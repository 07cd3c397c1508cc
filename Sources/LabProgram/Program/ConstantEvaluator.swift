import LabSyntax

/// Evaluates constants: expressions of numbers, operators and parameters.
package struct ConstantEvaluator {
    /// The parameters' values.
    private let arguments: [Int]

    package init(arguments: [Int]) { self.arguments = arguments }

    /// The place where a constant has no value, and why.
    package struct Failure: Error {
        package var reason: Operator.NoResult
        package var site: Site
    }

    package func value(of expression: Program.Expression) throws(Failure) -> Int {
        switch expression.kind {
        case .constant(let value): return value
        case .parameter(let parameter): return arguments[parameter]
        case .negate(let operand): return try apply(.subtract, 0, value(of: operand), expression.site)
        case .invert(let operand): return ~(try value(of: operand))
        case .not(let operand): return try value(of: operand) == 0 ? 1 : 0
        case .and(let left, let right): return try value(of: left) == 0 ? 0 : value(of: right)
        case .or(let left, let right): return try value(of: left) != 0 ? 1 : value(of: right)
        case .binary(let sign, let left, let right):
            return try apply(sign, value(of: left), value(of: right), expression.site)
        default: preconditionFailure("the checker allows only constants here")
        }
    }

    private func apply(_ sign: Operator, _ a: Int, _ b: Int, _ site: Site) throws(Failure) -> Int {
        do throws(Operator.NoResult) {
            return try sign.result(a, b)
        } catch {
            throw Failure(reason: error, site: site)
        }
    }
}

extension Program.Expression {
    /// Whether its value is known before anything runs.
    package var isConstant: Bool {
        switch kind {
        case .constant, .parameter: true
        case .negate(let operand), .invert(let operand), .not(let operand): operand.isConstant
        case .binary(_, let left, let right), .and(let left, let right), .or(let left, let right):
            left.isConstant && right.isConstant
        default: false
        }
    }

    /// Whether its value is known from the text alone.
    var isLiteral: Bool {
        switch kind {
        case .constant: true
        case .parameter: false
        case .negate(let operand), .invert(let operand), .not(let operand): operand.isLiteral
        case .binary(_, let left, let right), .and(let left, let right), .or(let left, let right):
            left.isLiteral && right.isLiteral
        default: false
        }
    }
}
