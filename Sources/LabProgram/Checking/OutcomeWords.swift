import LabSyntax
import Trace

/// The words in `expect` for the ways in which a run may end.
package enum OutcomeWords {
    /// An interrupted run says nothing about its program; and a claim says by itself whether it is broken.
    package static let kinds = OutcomeKind.allCases.filter { kind in
        kind != .completed && kind != .interrupted && kind != .claim && kind != .brokenClaim
    }

    static let all = kinds.map(\.rawValue) + others
    static let list = "available: \(all.joined(separator: ", "))"

    static let others = [
        Keyword.completes, .always, .never, .sometimes, .eventually, .outcomes, .warning, .broken,
    ].map(\.rawValue)

    package static func kind(_ word: String) -> OutcomeKind? { kinds.first { $0.rawValue == word } }
}
