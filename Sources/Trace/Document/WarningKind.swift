/// What a run can show apart from how it ended. The raw value is the stable name that scripts, `expect` lines and
/// `explain` use.
public enum WarningKind: String, CaseIterable, Sendable {
    /// Locks taken in different orders: a deadlock that did not happen in this run.
    case lockOrder = "lock-order"
    case lostWakeUp = "lost-wake-up"
    case waitWithoutLoop = "wait-without-loop"
    case starvation
    case priorityInversion = "priority-inversion"
    case heldWhileBlocked = "held-while-blocked"
    case heldTooLong = "held-too-long"
    case contention
    /// A lock taken in a signal handler.
    case lockInHandler = "lock-in-handler"
    /// A thread terminated by the end of the process.
    case cutOff = "cut-off"

    /// The warning with this code (`TL402`) or name, in uppercase or lowercase letters.
    package init?(word: String) {
        let wanted = word.lowercased()
        guard let match = Self.allCases.first(where: { $0.rawValue == wanted || $0.code.lowercased() == wanted })
        else { return nil }
        self = match
    }

    /// The code in the catalogue of findings.
    package var code: String {
        switch self {
        case .lockOrder: "TL103"
        case .lostWakeUp: "TL301"
        case .waitWithoutLoop: "TL302"
        case .starvation: "TL402"
        case .priorityInversion: "TL403"
        case .heldWhileBlocked: "TL404"
        case .heldTooLong: "TL405"
        case .contention: "TL406"
        case .cutOff: "TL502"
        case .lockInHandler: "TL605"
        }
    }
}
