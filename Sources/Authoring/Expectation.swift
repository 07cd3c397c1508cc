import Trace

/// How the runs of a variant may end, and the warnings that some of them show.
public struct Expectation: Equatable, Sendable {
    /// The outcomes that a run may have.
    public let allowed: [OutcomeKind]
    /// The outcomes other than `completed` that at least one run must have: a search must find them.
    public let findings: [OutcomeKind]
    /// The warnings that at least one run must show, however it ends. Any other warning is allowed.
    public let warnings: [WarningKind]

    /// Whether a run may also continue forever, in which case it is cut off on real threads.
    package var continuesForever = false

    /// Runs complete, or have one of these outcomes, each of which at least one run must have. At least one run must
    /// show each of the warnings.
    package init(orElse findings: [OutcomeKind], warnings: [WarningKind] = []) {
        self.init(allowed: [.completed] + findings, findings: findings, warnings: warnings)
    }

    private init(allowed: [OutcomeKind], findings: [OutcomeKind], warnings: [WarningKind] = []) {
        // A program that makes claims about two memory models can name the same outcome twice.
        self.allowed = Self.distinct(allowed)
        self.findings = Self.distinct(findings)
        self.warnings = warnings
    }

    private static func distinct(_ kinds: [OutcomeKind]) -> [OutcomeKind] {
        var seen: Set<OutcomeKind> = []
        return kinds.filter { seen.insert($0).inserted }
    }

    /// Every run completes.
    public static let completes = Expectation(allowed: [.completed], findings: [])

    /// Some runs complete, and some have this outcome. For a broken variant that fails only under an unlucky schedule.
    ///
    /// Some runs show the warnings, however they end. Without an outcome, every run completes.
    public static func may(_ findings: OutcomeKind..., warning warnings: WarningKind...) -> Expectation {
        Expectation(orElse: findings, warnings: warnings)
    }

    /// Every run has this outcome (or one of these outcomes).
    ///
    /// Some runs show the warnings.
    public static func must(_ findings: OutcomeKind..., warning warnings: WarningKind...) -> Expectation {
        Expectation(allowed: findings, findings: findings, warnings: warnings)
    }

    /// This expectation, but a run may also have one of these outcomes. A search need not find them.
    public func orElse(_ others: OutcomeKind...) -> Expectation {
        Expectation(allowed: allowed + others, findings: findings, warnings: warnings)
    }

    /// Whether a run may have this outcome on this runtime.
    ///
    /// On real threads a livelock may appear as a time-out, because a lack of progress shows only if the whole state is
    /// known, as under the scheduler. So may a run that continues forever.
    package func allows(_ kind: OutcomeKind, on runtime: TraceHeader.Runtime) -> Bool {
        if allowed.contains(kind) { return true }
        guard runtime == .native && kind == .timeout else { return false }
        return allowed.contains(.livelock) || continuesForever
    }

    /// The words for `show`: "completes", "may end in deadlock", "ends in assertion, or in race"; "completes, in some
    /// runs with warning starvation".
    public var description: String {
        warnings.isEmpty ? ending : "\(ending), in some runs with \(Self.words(warnings))"
    }

    /// For example `warning starvation`, `warnings starvation and contention`.
    package static func words(_ warnings: [WarningKind]) -> String {
        let names = warnings.map(\.rawValue)
        guard let last = names.last, names.count > 1 else { return "warning \(names.joined())" }
        return "warnings \(names.dropLast().joined(separator: ", ")) and \(last)"
    }

    /// The words for how a run should end: "should complete", "should complete or end in deadlock", "should end in
    /// assertion or race".
    package var obligation: String {
        let complete = continuesForever ? "should complete or continue forever" : "should complete"
        let ends = findings + allowed.filter { $0 != .completed && !findings.contains($0) }
        if ends.isEmpty { return complete }
        let end = "end in \(Self.alternatives(ends))"
        return allowed.contains(.completed) ? "\(complete) or \(end)" : "should \(end)"
    }

    private var ending: String {
        let sought = Self.alternatives(findings)
        let others = Self.alternatives(allowed.filter { $0 != .completed && !findings.contains($0) })
        let completes = continuesForever ? "completes or continues forever" : "completes"
        if findings.isEmpty { return others.isEmpty ? completes : "\(completes), or ends in \(others)" }
        let usual = allowed.contains(.completed) ? "may end in \(sought)" : "ends in \(sought)"
        return others.isEmpty ? usual : "\(usual), or in \(others)"
    }

    private static func alternatives(_ kinds: [OutcomeKind]) -> String {
        kinds.map(\.rawValue).joined(separator: " or ")
    }
}
