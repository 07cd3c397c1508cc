import Diagnosis
import Scenarios
import Trace

/// Holds what runs showed to what their scenario expects.
package enum Judgement {
    /// An outcome that is not allowed counts wherever it was seen. What some run must show may be seen on either runtime, but
    /// only controlled runs can be blamed for not showing it: which way real threads go is up to the system.
    ///
    /// - Parameter states: the scenario's sought states, in the order in which the evidence counts them.
    package static func mismatches(
        _ evidence: [Evidence], _ expectation: Expectation, states: [String] = []
    ) -> [Mismatch] {
        let surprises = evidence.flatMap { evidence in
            evidence.sightings
                .filter { !expectation.allowed.contains($0.outcome.kind) }
                .map { Mismatch.notAllowed($0, in: evidence) }
        }
        guard let controlled = evidence.first(where: { $0.runtime == .controlled }) else { return surprises }
        let outcomes = expectation.findings.filter { kind in evidence.allSatisfy { $0.count(of: kind) == 0 } }
        let unseen = states.indices.filter { number in evidence.allSatisfy { $0.states[number] == 0 } }
        return surprises
            + outcomes.map { .outcomeNotSeen($0, in: controlled) }
            + unseen.map { .stateNotSeen(states[$0], in: controlled) }
    }
}
