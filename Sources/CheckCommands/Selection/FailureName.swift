import Console
import Diagnosis
import Reports
import Trace

/// Names for the ways in which a scenario fails, as a baseline lists them. An outcome that is not allowed has its own
/// name, such as `race`; an expected one that was not seen is `missing deadlock`. Failures that differ only in counts,
/// times or details have the same name.
extension CheckedScenario {
    /// The names of the scenario's failures, each once.
    var failures: [String] {
        let all =
            switch verdict {
            case .mismatched(let flaws): flaws.map { FailureName.word(for: $0.mismatch) }
            case .evading(let differences): differences.map { FailureName.evading + $0.code }
            case .undecided, .wrong: [verdict.word]
            // Never allowed: the baseline itself is wrong, a proof is lost, or nothing was checked.
            case .stale, .lostProof, .error, .asExpected, .notRun: [String]()
            }
        var seen = Set<String>()
        return all.filter { seen.insert($0).inserted }
    }
}

/// The words of these names.
enum FailureName {
    static let evading = "evading "
    private static let missing = "missing "
    private static let (unrepeatable, unproved, busy) = ("not-repeatable", "not-proved", "busy-waiting")
    private static let (undecided, undecidedBusy, wrong) = ("undecided", "undecided busy-waiting", "wrong")
    private static let words = [unrepeatable, unproved, busy, undecided, undecidedBusy, wrong]

    static func word(for mismatch: Mismatch) -> String {
        switch mismatch {
        case .notAllowed(let sighting, _): sighting.outcome.kind.rawValue
        case .outcomeNotSeen(let kind, _): missing + kind.rawValue
        case .stateNotSeen(let state, _): "\(missing)'\(NameList.key(state))'"
        case .warningNotSeen(let kind, _): "\(missing)warning \(kind.rawValue)"
        case .notRepeatable: unrepeatable
        case .notProved: unproved
        case .nothingSeen: undecided
        case .busyWaiting(.found, _): busy
        case .busyWaiting: undecidedBusy
        }
    }

    /// Whether the text is the name of a failure, so that the text before it in a line of a baseline is a scenario's
    /// name.
    static func isName(_ text: Substring) -> Bool {
        OutcomeKind(rawValue: String(text)) != nil || words.contains { $0 == text } || text.hasPrefix(missing)
            || text.hasPrefix(evading)
    }
}
