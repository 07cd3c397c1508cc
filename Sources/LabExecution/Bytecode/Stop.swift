import LabSyntax
import Machine

/// Why a thread's local code has stopped.
struct Stop {
    enum Reason: UInt8 {
        /// It has reached a visible operation.
        case operation
        /// It starts the thread with number `a`: as a step, or, if `b` is 1, as part of the program's start.
        case spawn
        /// It writes a note: text `a`, with values at `b`.
        case note
        /// It is the main thread, and asks for the claims to be checked.
        case review
        /// The memory that claims are about may have changed.
        case observe
        /// It has done what it loops for.
        case progress
        case ended
        /// It cannot continue: `failure`, with details in `a` and `b`.
        case failed
    }

    var reason: Reason
    var failure = Failure.assertion
    /// For a failed calculation.
    var sign = Operator.add
    /// Whether the operation's second argument is still a duration, to be converted to a deadline.
    var isTimed = false
    var line: Int
    var a = 0
    var b = 0

    /// Whether it is about claim `a`: one that does not hold, or, if `b` is 1, that has no value.
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

    /// The instruction's operator has no result.
    init(_ failure: Failure, of instruction: Instruction) {
        self.init(failure, line: instruction.line)
        sign = instruction.opcode.sign ?? .add
    }
}
