import Trace

/// How the runs of a variant may end.
public struct Expectation: Equatable, Sendable {
    /// The outcomes that a run may have.
    public let allowed: [OutcomeKind]
    /// The outcomes other than `completed` that at least one run must have: exploration has to find them.
    public let findings: [OutcomeKind]

    /// Runs complete or have one of these outcomes, each of which at least one run must have.
    package init(orElse findings: [OutcomeKind]) {
        allowed = [.completed] + findings
        self.findings = findings
    }

    private init(allowed: [OutcomeKind], findings: [OutcomeKind]) {
        self.allowed = allowed
        self.findings = findings
    }

    /// Every run completes.
    public static let completes = Expectation(allowed: [.completed], findings: [])

    /// Some runs complete, and some have this outcome. For a broken variant that fails only under an unlucky schedule.
    public static func may(_ findings: OutcomeKind...) -> Expectation {
        Expectation(allowed: [.completed] + findings, findings: findings)
    }

    /// Every run has this outcome (or one of these outcomes).
    public static func must(_ findings: OutcomeKind...) -> Expectation {
        Expectation(allowed: findings, findings: findings)
    }

    /// The same expectation, but a run may also have one of these outcomes. Exploration need not find them.
    public func orElse(_ others: OutcomeKind...) -> Expectation {
        Expectation(allowed: allowed + others, findings: findings)
    }

    /// Whether a run may have this outcome.
    ///
    /// On real threads a livelock may appear as a time-out: that the threads make no progress is known only of a run
    /// whose whole state is known, which is the case under the scheduler.
    package func allows(_ kind: OutcomeKind, on runtime: TraceHeader.Runtime) -> Bool {
        allowed.contains(kind) || runtime == .native && kind == .timeout && allowed.contains(.livelock)
    }

    /// For `show`: "completes", "may end in deadlock", "ends in assertion, or in race".
    public var description: String {
        let sought = Self.alternatives(findings)
        let others = Self.alternatives(allowed.filter { $0 != .completed && !findings.contains($0) })
        if findings.isEmpty { return others.isEmpty ? "completes" : "completes, or ends in \(others)" }
        let usual = allowed.contains(.completed) ? "may end in \(sought)" : "ends in \(sought)"
        return others.isEmpty ? usual : "\(usual), or in \(others)"
    }

    private static func alternatives(_ kinds: [OutcomeKind]) -> String {
        kinds.map(\.rawValue).joined(separator: " or ")
    }
}
