import Machine
import Trace

/// An execution that ended in a finding, with the schedule that leads to it.
package struct Counterexample: Equatable, Sendable {
    package var kind: OutcomeKind
    /// A number that distinguishes the places where executions of one kind ended.
    package var place: Int
    package var schedule: Schedule
    package var steps: Int
    /// The number of the execution, from 1: in a unit's report, within the unit; in a search's result, within the
    /// search.
    package var number: Int
    package var strategy: StrategyChoice
    /// The rules of its execution. Nil: the rules of the search.
    package var rules: Rules?

    package init(
        _ kind: OutcomeKind, place: Int, schedule: Schedule, steps: Int, number: Int, strategy: StrategyChoice
    ) {
        self.kind = kind
        self.place = place
        self.schedule = schedule
        self.steps = steps
        self.number = number
        self.strategy = strategy
    }

    /// Two findings are the same if their identities are equal.
    package struct Identity: Hashable, Sendable {
        package let kind: OutcomeKind
        package let place: Int

        package init(kind: OutcomeKind, place: Int) {
            self.kind = kind
            self.place = place
        }

        /// Whether the identity stands for every endless execution of this kind, wherever its cycle is.
        var isAnyCycle: Bool { place == 0 && (kind == .livelock || kind == .starvation) }

        init?(_ claim: ClaimEnd) {
            guard let kind = claim.verdict.outcome else { return nil }
            self.init(kind: kind, place: claim.place)
        }
    }

    package var isOfClaim: Bool { kind == .claim || kind == .brokenClaim }

    package var identity: Identity { Identity(kind: kind, place: place) }
}

extension Verdict {
    /// The outcome that corresponds to the verdict. Nil: the execution has no outcome.
    package var outcome: OutcomeKind? {
        switch self {
        // `forever`: it does not end, but nothing is wrong (`Verdict.isGood`).
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

    /// A clause that states how this verdict differs from the outcome derived from the events of the same run. Nil:
    /// they agree, or the run was interrupted or stopped.
    ///
    /// - Parameter judgesLockOrder: whether a run that completes, but takes locks in different orders, is judged as
    ///   `lock-order`.
    package func disagreement(with judged: OutcomeKind, judgesLockOrder: Bool = false) -> String? {
        guard judged != .interrupted, let expected = self == .stepLimit ? .timeout : outcome, judged != expected else {
            return nil
        }
        if judged == .lockOrder && expected == .completed && judgesLockOrder { return nil }
        return "the scheduler ended the run in '\(expected.rawValue)', and its events show '\(judged.rawValue)'"
    }
}
