import Authoring
import LabProgram
import Trace

/// What the claims of a file say about how its runs end.
extension Program {
    /// The outcomes and warnings that the file expects.
    package var expectation: Expectation {
        var findings: [OutcomeKind] = brokenClaims.isEmpty ? [] : [.brokenClaim]
        var warnings: [WarningKind] = []
        for claim in presentClaims {
            switch claim.kind {
            case .findings(let kinds): findings += kinds
            case .warnings(let kinds):
                // A warning that is promised twice is listed once.
                for kind in kinds where !warnings.contains(kind) { warnings.append(kind) }
            case .completes, .always, .never, .sometimes, .possible, .eventually, .invariant, .outcomes, .linearizable:
                break
            }
        }
        var expectation = Expectation(orElse: findings, warnings: warnings)
        expectation.continuesForever = hasProgress
        return expectation
    }

    /// Whether the file says how its runs may end.
    package var statesExpectation: Bool {
        !brokenClaims.isEmpty
            || presentClaims.contains { claim in
                switch claim.kind {
                case .completes, .findings, .warnings: true
                case .always, .never, .sometimes, .possible, .eventually, .invariant, .outcomes, .linearizable: false
                }
            }
    }
}
