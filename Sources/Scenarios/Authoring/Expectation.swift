import Trace

/// How the runs of a variant may end.
public struct Expectation: Equatable, Sendable {
    /// The outcomes that a run may have.
    public let allowed: [OutcomeKind]
    /// The outcomes, other than `completed`, that some run must have: what exploration has to find.
    public let findings: [OutcomeKind]

    /// Every run completes.
    public static let completes = Expectation(allowed: [.completed], findings: [])

    /// Some runs complete, and some end so. A broken variant that needs an unlucky schedule.
    public static func may(_ findings: OutcomeKind...) -> Expectation {
        Expectation(allowed: [.completed] + findings, findings: findings)
    }

    /// Every run ends so (with several: in one of these ways).
    public static func must(_ findings: OutcomeKind...) -> Expectation {
        Expectation(allowed: findings, findings: findings)
    }

    /// For `show`: "completes", "may deadlock".
    public var description: String {
        if findings.isEmpty { return "completes" }
        let names = findings.map(\.rawValue).joined(separator: " or ")
        return allowed.contains(.completed) ? "may end in \(names)" : "ends in \(names)"
    }
}
