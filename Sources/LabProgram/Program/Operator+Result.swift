import LabSyntax

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

    /// The result. A comparison's is 0 or 1.
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
