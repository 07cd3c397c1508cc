import LabSyntax
import Machine

/// The reason why a thread cannot continue.
enum Failure: UInt8 {
    /// Text `a` with its values at `b`.
    case assertion
    /// The operator has no result.
    case overflow, divisionByZero, shiftDistance
    /// Subscript `a` of an array with `b` elements.
    case outOfBounds
    /// Subscript `a` of a list with `b` values.
    case outOfList
    case emptyList, fullList
    case noChoices
    case startedTwice, notStarted
    /// Too many instructions without a visible operation.
    case endless
    /// An `await` that reads nothing.
    case unawakable

    /// The event that ends the run.
    var verdict: Verdict {
        switch self {
        case .assertion: .assertion
        case .endless, .unawakable: .livelock
        default: .error
        }
    }

    func message(_ sign: Operator, _ a: Int, _ b: Int) -> String {
        switch self {
        case .assertion: ""
        case .overflow, .divisionByZero, .shiftDistance: Self.noResult(self, sign)
        case .outOfBounds: "the subscript \(a) is out of bounds: there are elements 0 to \(b - 1)"
        case .outOfList:
            b == 0
                ? "the subscript \(a) is out of bounds: the list is empty"
                : "the subscript \(a) is out of bounds: the list has values 0 to \(b - 1)"
        case .emptyList: "the list is empty: there is nothing to remove"
        case .fullList: "the list is full: it holds \(Bytecode.listCapacity) values at most"
        case .noChoices: "choose needs a number from 1 to \(Bytecode.mostChoices), and got \(a)"
        case .startedTwice: "the thread has been started already"
        case .notStarted: "the thread has not been started yet"
        case .endless: "a loop continues without a step that other threads could see"
        case .unawakable: "await waits forever: it reads nothing that another thread could change"
        }
    }

    private static func noResult(_ failure: Failure, _ sign: Operator) -> String {
        let reason: Operator.NoResult =
            switch failure {
            case .divisionByZero: .divisionByZero
            case .shiftDistance: .shiftDistance
            default: .overflow
            }
        return "'\(sign.rawValue)' has no result: \(reason.explanation)"
    }

    init(_ reason: Operator.NoResult) {
        switch reason {
        case .overflow: self = .overflow
        case .divisionByZero: self = .divisionByZero
        case .shiftDistance: self = .shiftDistance
        }
    }
}
