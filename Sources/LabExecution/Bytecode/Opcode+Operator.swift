import LabSyntax

extension Opcode {
    init(_ sign: Operator) {
        switch sign {
        case .add: self = .add
        case .subtract: self = .subtract
        case .multiply: self = .multiply
        case .divide: self = .divide
        case .remainder: self = .remainder
        case .bitAnd: self = .bitAnd
        case .bitOr: self = .bitOr
        case .bitXor: self = .bitXor
        case .shiftLeft: self = .shiftLeft
        case .shiftRight: self = .shiftRight
        case .equal: self = .equal
        case .notEqual: self = .notEqual
        case .less: self = .less
        case .lessOrEqual: self = .lessOrEqual
        case .greater: self = .greater
        case .greaterOrEqual: self = .greaterOrEqual
        }
    }

    /// The operator that it applies.
    var sign: Operator? {
        switch self {
        case .add, .added, .addConstant, .increment: .add
        case .subtract, .negate: .subtract
        case .multiply: .multiply
        case .divide: .divide
        case .remainder: .remainder
        case .bitAnd: .bitAnd
        case .bitOr: .bitOr
        case .bitXor: .bitXor
        case .shiftLeft: .shiftLeft
        case .shiftRight: .shiftRight
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .less
        case .lessOrEqual: .lessOrEqual
        case .greater: .greater
        case .greaterOrEqual: .greaterOrEqual
        default: nil
        }
    }

    /// The jump that is taken if this comparison does not hold. Nil: it is no comparison.
    var jumpUnless: Opcode? {
        switch self {
        case .equal: .jumpUnlessEqual
        case .notEqual: .jumpUnlessNotEqual
        case .less: .jumpUnlessLess
        case .lessOrEqual: .jumpUnlessLessOrEqual
        case .greater: .jumpUnlessGreater
        case .greaterOrEqual: .jumpUnlessGreaterOrEqual
        default: nil
        }
    }
}
