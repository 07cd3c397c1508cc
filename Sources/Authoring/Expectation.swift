import Trace

/// How the runs of a variant may end.
public struct Expectation: Equatable, Sendable {
    /// The outcomes that a run may have.
    public let allowed: [OutcomeKind]
    /// The outcomes, other than `completed`, that some run must have: what exploration has to find.
    public let findings: [OutcomeKind]

    /// Runs complete, or end in one of these ways, each of which some run must have.
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

    /// Some runs complete, and some end so. A broken variant that needs an unlucky schedule.
    public static func may(_ findings: OutcomeKind...) -> Expectation {
        Expectation(allowed: [.completed] + findings, findings: findings)
    }

    /// Every run ends so (with several: in one of these ways).
    public static func must(_ findings: OutcomeKind...) -> Expectation {
        Expectation(allowed: findings, findings: findings)
    }

    /// The same, but a run may end so as well. It is possible, and exploration need not find it.
    public func orElse(_ others: OutcomeKind...) -> Expectation {
        Expectation(allowed: allowed + others, findings: findings)
    }

    /// Whether a run may end so.
    ///
    /// On real threads a livelock may show as a time-out: that the threads are busy with nothing is known only of a run whose
    /// whole state is known, and that is the scheduler's.
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
