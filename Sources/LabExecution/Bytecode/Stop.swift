import LabSyntax
import Machine

/// Why the interpreter has stopped running a thread's local code.
struct Stop {
    enum Reason: UInt8 {
        /// It has reached a visible operation.
        case operation
        /// It starts the thread with number `a`. If `b` is 1, this is part of the program's start; otherwise, it is a
        /// step.
        case spawn
        /// It writes a note: text `a`, with values at `b`.
        case note
        /// The main thread has reached the end: the claims are to be checked.
        case review
        /// Memory that claims read may have changed.
        case observe
        /// It has passed a `progress`.
        case progress
        case ended
        /// It cannot continue: `failure`, with details in `a` and `b`.
        case failed
    }

    var reason: Reason
    var failure = Failure.assertion
    /// The operator that has no result, if `failure` is `overflow`, `divisionByZero` or `shiftDistance`. Otherwise
    /// meaningless.
    var sign = Operator.add
    /// Whether the operation's second argument is a duration that must be converted to a deadline.
    var isTimed = false
    var line: Int
    /// Details of the reason or failure, which are described there. Otherwise 0.
    var a = 0
    var b = 0

    /// Whether the stop concerns claims: `ProgramHost.check` evaluates them. If some are broken, it sets `a` to the
    /// number of the one for which the run ends, and `b` to 1 if that claim could not be evaluated.
    var isOfClaim: Bool { reason == .review || reason == .observe }

    init(_ reason: Reason, line: UInt16, a: Int = 0, b: Int = 0) {
        self.reason = reason
        self.line = Int(line)
        self.a = a
        self.b = b
    }

    init(_ failure: Failure, line: UInt16, a: Int = 0, b: Int = 0) {
        self.init(.failed, line: line, a: a, b: b)
        self.failure = failure
    }

    /// A stop because the instruction's operator has no result.
    init(_ failure: Failure, of instruction: Instruction) {
        self.init(failure, line: instruction.line)
        sign = instruction.opcode.sign ?? .add
    }
}

/// The reason why a thread cannot continue.
enum Failure: UInt8 {
    /// An assertion with text `a` and values at `b`.
    case assertion
    /// The operator has no result.
    case overflow, divisionByZero, shiftDistance
    /// Subscript `a` of an array with `b` elements.
    case outOfBounds
    /// Subscript `a` of a list with `b` values.
    case outOfList
    case emptyList, fullList
    /// A thread makes more calls than a claim about calls supports.
    case fullLog
    /// `choose` with `a` as the number of choices, which is too small or too large.
    case noChoices
    case startedTwice, notStarted
    /// Too many instructions without a visible operation.
    case endless
    /// An `await` that reads nothing.
    case unawakable

    /// The verdict on the run that ends this way.
    var verdict: Verdict {
        switch self {
        case .assertion: .assertion
        case .endless, .unawakable: .livelock
        case .overflow, .divisionByZero, .shiftDistance, .outOfBounds, .outOfList, .emptyList, .fullList, .fullLog,
            .noChoices, .startedTwice, .notStarted:
            .error
        }
    }

    /// The message for the user. For an assertion it is empty, because its text is shown.
    ///
    /// - Parameter sign: the operator that has no result, if that is the failure.
    func message(_ sign: Operator, _ a: Int, _ b: Int) -> String {
        switch self {
        case .assertion: ""
        case .overflow: Self.noResult(.overflow, sign)
        case .divisionByZero: Self.noResult(.divisionByZero, sign)
        case .shiftDistance: Self.noResult(.shiftDistance, sign)
        case .outOfBounds: "the subscript \(a) is out of bounds: there are elements 0 to \(b - 1)"
        case .outOfList:
            b == 0
                ? "the subscript \(a) is out of bounds: the list is empty"
                : "the subscript \(a) is out of bounds: the list has values 0 to \(b - 1)"
        case .emptyList: "the list is empty: there is nothing to remove"
        case .fullList: "the list is full: it holds \(Bytecode.listCapacity) values at most"
        case .fullLog: "the thread makes too many calls to be linearized"
        case .noChoices: "choose needs a number from 1 to \(Bytecode.mostChoices), and got \(a)"
        case .startedTwice: "the thread has been started already"
        case .notStarted: "the thread has not been started yet"
        case .endless: "a loop continues without a step that other threads could see"
        case .unawakable: "await waits forever: it reads nothing that another thread could change"
        }
    }

    private static func noResult(_ reason: Operator.NoResult, _ sign: Operator) -> String {
        "'\(sign.rawValue)' has no result: \(reason.explanation)"
    }

    init(_ reason: Operator.NoResult) {
        switch reason {
        case .overflow: self = .overflow
        case .divisionByZero: self = .divisionByZero
        case .shiftDistance: self = .shiftDistance
        }
    }
}
