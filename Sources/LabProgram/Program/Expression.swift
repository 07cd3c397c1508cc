import LabSyntax

// Expressions after checking, and the evaluation of those that are constants.

extension Program {
    package struct Expression: Sendable {
        package var kind: Kind
        /// Nil: it has no value, and is only evaluated for its effect.
        package var type: ValueType?
        package var site: Site

        package init(kind: Kind, type: ValueType?, site: Site) {
            self.kind = kind
            self.type = type
            self.site = site
        }

        /// Operands are evaluated from left to right.
        package indirect enum Kind: Sendable {
            case constant(Int)
            /// The parameter's number in `Program.parameters`. Its value is constant in a run.
            case parameter(Int)
            /// A local variable: its index in `Body.slots`.
            case slot(Int)
            /// The number of the executing thread in its array.
            case index
            case negate(Expression)
            case invert(Expression)
            case not(Expression)
            case absolute(Expression)
            case binary(Operator, Expression, Expression)
            /// The second operand is evaluated only if the first does not determine the result.
            case and(Expression, Expression)
            case or(Expression, Expression)
            /// A read of a shared variable, or of an element of an array or a list: one step.
            case read(Place)
            /// Whether the list equals these values. They are evaluated first; comparing is one read of the list.
            case equals(list: Int, [Expression])
            /// An operation on an object. The subscript is evaluated first, then the arguments; then the operation
            /// takes its steps, in most cases one.
            case perform(Action, Place, [Expression])
            case call(function: Int, [Expression])
            /// `choose(n)`: a number from 0 to n − 1, which the schedule determines.
            case choose(Expression)
        }
    }

    /// An object, or an element of an array of objects or of a list.
    package struct Place: Sendable {
        /// The object's number in `Program.objects`.
        package var object: Int
        /// The subscript. If it is out of bounds, the run ends with an error. Nil for a single object, and for a whole
        /// list.
        package var index: Expression?
        /// The index in `Body.slots` of a slot that keeps the subscript's value if the place is needed twice: in
        /// `a[i] += 1`, or in a block that locks `m[i]`. Nil: none is needed.
        package var slot: Int?
        package var site: Site
    }
}

extension Operator {
    /// Why an operation has no result.
    package enum NoResult: Error, Equatable, Sendable {
        case overflow, divisionByZero, shiftDistance

        /// The end of the sentence "a + b has no result: …".
        package var explanation: String {
            switch self {
            case .overflow: "it does not fit into 64 bits"
            case .divisionByZero: "division by 0"
            case .shiftDistance: "a shift distance must be from 0 to 63"
            }
        }
    }

    /// The result. A comparison yields 0 or 1.
    package func result(_ a: Int, _ b: Int) throws(NoResult) -> Int {
        switch self {
        case .add: try Self.whole(a.addingReportingOverflow(b))
        case .subtract: try Self.whole(a.subtractingReportingOverflow(b))
        case .multiply: try Self.whole(a.multipliedReportingOverflow(by: b))
        case .divide: try Self.quotient(b, a.dividedReportingOverflow(by: b))
        case .remainder: try Self.quotient(b, a.remainderReportingOverflow(dividingBy: b))
        case .bitAnd: a & b
        case .bitOr: a | b
        case .bitXor: a ^ b
        case .shiftLeft: try Self.shiftedLeft(a, b)
        case .shiftRight: try Self.shiftedRight(a, b)
        case .equal: a == b ? 1 : 0
        case .notEqual: a != b ? 1 : 0
        case .less: a < b ? 1 : 0
        case .lessOrEqual: a <= b ? 1 : 0
        case .greater: a > b ? 1 : 0
        case .greaterOrEqual: a >= b ? 1 : 0
        case .least: min(a, b)
        case .greatest: max(a, b)
        }
    }

    private static func whole(_ result: (partialValue: Int, overflow: Bool)) throws(NoResult) -> Int {
        if result.overflow { throw .overflow }
        return result.partialValue
    }

    private static func quotient(
        _ divisor: Int, _ result: (partialValue: Int, overflow: Bool)
    ) throws(NoResult) -> Int {
        if divisor == 0 { throw .divisionByZero }
        return try whole(result)
    }

    private static func shiftedLeft(_ a: Int, _ places: Int) throws(NoResult) -> Int {
        guard (0...63).contains(places) else { throw .shiftDistance }
        let shifted = a << places
        if shifted >> places != a { throw .overflow }
        return shifted
    }

    private static func shiftedRight(_ a: Int, _ places: Int) throws(NoResult) -> Int {
        guard (0...63).contains(places) else { throw .shiftDistance }
        return a >> places
    }
}

/// Evaluates constants: expressions of numbers, operators and parameters.
package struct ConstantEvaluator {
    /// The parameters' values.
    private let arguments: [Int]

    package init(arguments: [Int]) { self.arguments = arguments }

    /// A constant has no value, for example because of a division by zero.
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
        case .absolute(let operand):
            let value = try value(of: operand)
            return value < 0 ? try apply(.subtract, 0, value, expression.site) : value
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
    /// The objects, and elements of arrays or lists, that the expression reads, in the order in which it reads them.
    package var readPlaces: [Program.Place] {
        var places: [Program.Place] = []
        ProgramWalk.expressions(self) { expression in
            switch expression.kind {
            case .read(let place): places.append(place)
            case .perform(let action, let place, _): if action.onlyLooks { places.append(place) }
            case .equals(let list, _):
                places.append(Program.Place(object: list, index: nil, slot: nil, site: expression.site))
            case .constant, .parameter, .slot, .index, .negate, .invert, .not, .absolute, .binary, .and, .or, .call,
                .choose:
                break
            }
        }
        return places
    }

    /// Whether its value is known before the program runs: it depends only on literals and parameters.
    package var isConstant: Bool {
        switch kind {
        case .constant, .parameter: true
        case .negate(let operand), .invert(let operand), .not(let operand), .absolute(let operand): operand.isConstant
        case .binary(_, let left, let right), .and(let left, let right), .or(let left, let right):
            left.isConstant && right.isConstant
        default: false
        }
    }

    /// Whether its value is known from the text alone: it depends only on literals.
    var isLiteral: Bool {
        switch kind {
        case .constant: true
        case .parameter: false
        case .negate(let operand), .invert(let operand), .not(let operand), .absolute(let operand): operand.isLiteral
        case .binary(_, let left, let right), .and(let left, let right), .or(let left, let right):
            left.isLiteral && right.isLiteral
        default: false
        }
    }
}
