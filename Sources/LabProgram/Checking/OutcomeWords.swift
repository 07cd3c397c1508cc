import LabSyntax
import Trace

/// The words in `expect` for the ways in which a run may end.
package enum OutcomeWords {
    /// An interrupted run says nothing about its program.
    package static let kinds = OutcomeKind.allCases.filter { $0 != .completed && $0 != .interrupted }

    static let all = kinds.map(\.rawValue) + others
    static let list = "available: \(all.joined(separator: ", "))"

    static let others = [Keyword.completes, .always, .never, .sometimes, .eventually, .outcomes, .warning].map(
        \.rawValue)

    package static func kind(_ word: String) -> OutcomeKind? { kinds.first { $0.rawValue == word } }
}
