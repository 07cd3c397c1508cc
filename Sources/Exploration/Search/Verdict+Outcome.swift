import Machine
import Trace

extension Verdict {
    /// The outcome that corresponds to the verdict. Nil: the execution has no outcome.
    package var outcome: OutcomeKind? {
        switch self {
        case .completed, .forever: .completed
        case .deadlock: .deadlock
        case .misuse, .foreignThread: .misuse
        case .assertion: .assertion
        case .claim: .claim
        case .brokenClaim: .brokenClaim
        case .livelock, .endless: .livelock
        case .starvation: .starvation
        case .error: .error
        case .leak: .leak
        case .race: .race
        case .crash: .crash
        case .hang: .timeout
        case .stepLimit, .stopped: nil
        }
    }

    /// A clause that states how this verdict of the scheduler differs from the outcome derived from the same run's
    /// events. Nil: they agree, or the run was stopped from outside.
    ///
    /// - Parameter judgesLockOrder: whether a run that completed, with locks in different orders, has the outcome
    ///   `lock-order`.
    package func disagreement(with judged: OutcomeKind, judgesLockOrder: Bool = false) -> String? {
        guard judged != .interrupted, let expected = self == .stepLimit ? .timeout : outcome, judged != expected else {
            return nil
        }
        if judged == .lockOrder && expected == .completed && judgesLockOrder { return nil }
        return "the scheduler ended the run in '\(expected.rawValue)', and its events show '\(judged.rawValue)'"
    }
}
