import Trace

/// A difference between what runs of a program have shown and what its author expects.
package enum Mismatch: Equatable, Sendable {
    /// Runs had an outcome that is not allowed.
    case notAllowed(Evidence.Sighting, in: Evidence)
    /// No run had an outcome that some run must have.
    case outcomeNotSeen(OutcomeKind, in: Evidence)
    /// No run ended in, or reached, a state that some run must end in or reach.
    case stateNotSeen(String, in: Evidence)
    /// No run showed a warning that some run must show.
    case warningNotSeen(WarningKind, in: Evidence)
    /// Runs cannot be repeated or controlled, as the text says.
    case notRepeatable(String, in: Evidence)
    /// A proof is required, but the search has not tried everything.
    case notProved(Extent.Limit, in: Evidence)

    /// No execution of the search has ended, so nothing is known about how the program's runs end.
    case nothingSeen(in: Evidence)

    /// A thread waits by looping, which the program must not do; or it is not known whether one does.
    case busyWaiting(Evidence.BusyWaiting, in: Evidence)

    package var evidence: Evidence {
        switch self {
        case .notAllowed(_, let evidence), .outcomeNotSeen(_, let evidence), .stateNotSeen(_, let evidence),
            .warningNotSeen(_, let evidence), .notRepeatable(_, let evidence), .notProved(_, let evidence),
            .busyWaiting(_, let evidence), .nothingSeen(let evidence):
            evidence
        }
    }

    /// Whether it shows that the program is not as expected. If not, too little was tried to know.
    package var isRefutation: Bool {
        switch self {
        case .notAllowed, .notRepeatable: true
        case .outcomeNotSeen(_, let evidence), .stateNotSeen(_, let evidence): evidence.isProof
        case .busyWaiting(let waiting, _): waiting != .unknown
        case .warningNotSeen, .notProved, .nothingSeen: false
        }
    }
}
