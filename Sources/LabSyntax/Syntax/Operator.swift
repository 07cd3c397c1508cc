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
    /// A multiplication by a power of two, overflow included.
    case shiftLeft = "<<"
    /// Keeps the sign.
    case shiftRight = ">>"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    package var isComparison: Bool {
        switch self {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }
}
