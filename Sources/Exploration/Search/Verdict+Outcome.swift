import Machine
import Trace

extension Verdict {
    /// What the verdict is called once the run has been told. Nil: the execution has no outcome.
    package var outcome: OutcomeKind? {
        switch self {
        case .completed: .completed
        case .deadlock: .deadlock
        case .misuse: .misuse
        case .assertion: .assertion
        case .livelock: .livelock
        case .error: .error
        case .leak: .leak
        case .race: .race
        case .crash: .crash
        case .hang: .timeout
        case .stepLimit, .stopped: nil
        }
    }
}
