// Expressions in the syntax tree, and the operators, with their meaning.

extension Syntax {
    package struct Expression {
        package var kind: Kind
        package var span: Span
        /// The operator, or the name of the member or function, to which messages point; otherwise the whole
        /// expression.
        package var mark: Span
        /// The height of the tree. It is limited, so that walking the tree cannot overflow the stack.
        package var height: Int

        package indirect enum Kind {
            case integer(Int)
            case boolean(Bool)
            /// In nanoseconds.
            case duration(Int)
            case name(String)
            /// The word `index`: the number of the thread in its array.
            case index
            case list([Expression])
            case prefix(Prefix, Expression)
            case binary(Binary, Expression, Expression)
            /// An array or a list, and the index in square brackets.
            case subscripted(Expression, Expression)
            /// A member such as `buffer.count`, or a call such as `m.lock()` with its arguments.
            case member(Expression, Name, [Argument]?)
            case call(Name, [Argument])
            case choose([Argument])
        }

        package enum Prefix { case minus, not, invert }

        package enum Binary {
            /// The second operand is evaluated only if the first does not decide the result.
            case and, or
            /// Both operands are evaluated.
            case strict(Operator)
        }
    }

    package struct Argument {
        package var label: Name?
        package var value: Expression
    }
}

/// An operator on two values, both of which are evaluated. An operation without a result (overflow, a division by zero,
/// a shift by less than 0 or more than 63 places) ends the run with an error.
package enum Operator: String, CaseIterable, Sendable {
    case add = "+"
    case subtract = "-"
    case multiply = "*"
    /// Rounds towards zero.
    case divide = "/"
    /// Has the sign of the dividend.
    case remainder = "%"
    case bitAnd = "&"
    case bitOr = "|"
    case bitXor = "^"
    /// Multiplies by a power of two: a result that does not fit in 64 bits is an overflow.
    case shiftLeft = "<<"
    /// Keeps the sign.
    case shiftRight = ">>"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    /// Written as functions: `min(a, b)`.
    case least = "min"
    case greatest = "max"

    package var isComparison: Bool {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }
}
