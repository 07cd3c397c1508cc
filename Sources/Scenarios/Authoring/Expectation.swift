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

    /// The same, but a run may end so as well. That is possible and unlikely, and exploration need not find it.
    public func rarely(_ others: OutcomeKind...) -> Expectation {
        Expectation(allowed: allowed + others, findings: findings)
    }

    /// For `show`: "completes", "may end in deadlock", "ends in assertion, rarely in race".
    public var description: String {
        let found = Self.alternatives(findings)
        let rare = Self.alternatives(allowed.filter { $0 != .completed && !findings.contains($0) })
        let usual =
            if findings.isEmpty { "completes" } else if allowed.contains(.completed) { "may end in \(found)" } else {
                "ends in \(found)"
            }
        if rare.isEmpty { return usual }
        return findings.isEmpty ? "\(usual), rarely ends in \(rare)" : "\(usual), rarely in \(rare)"
    }

    private static func alternatives(_ kinds: [OutcomeKind]) -> String {
        kinds.map(\.rawValue).joined(separator: " or ")
    }
}
