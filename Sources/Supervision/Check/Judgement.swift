import Authoring
import Diagnosis
import Trace

/// Compares evidence with the scenario's expectation.
package enum Judgement {
    /// What evidence means for a program's expectation. Checks, grades and courses use it. `explore` and `explore { }`,
    /// which stop at their first finding, decide by the same evidence (`SearchAssessment`, `TestedSearch`).
    package enum Verdict: Equatable, Sendable {
        case asExpected
        /// The evidence shows that the program is not as expected, or lacks what it should show.
        case unexpected([Mismatch])
        /// The evidence shows nothing: no execution has ended.
        case undecided([Mismatch])

        package init(_ mismatches: [Mismatch]) {
            let seesNothing = mismatches.contains { if case .nothingSeen = $0 { true } else { false } }
            self =
                mismatches.isEmpty
                ? .asExpected
                : seesNothing && !mismatches.contains(where: \.isRefutation)
                    ? .undecided(mismatches) : .unexpected(mismatches)
        }
    }

    /// The ways in which the evidence differs from the expectation.
    ///
    /// An outcome that is not allowed counts on either runtime (`Expectation.allows`). A required outcome, or a
    /// promised warning, may be seen on either runtime, but only a search can be blamed for not showing it: the system
    /// decides the schedule of real threads. Nothing that a search shows counts if its executions cannot be repeated.
    ///
    /// - Parameters:
    ///   - states: the states that some execution must reach, in the order in which the evidence numbers them.
    ///   - needsProof: whether a search that has not tried everything is a mismatch too.
    package static func mismatches(
        _ evidence: [Evidence], _ expectation: Expectation, states: [String] = [], needsProof: Bool = false
    ) -> [Mismatch] {
        let surprises = evidence.flatMap { source in
            if let discrepancy = source.discrepancy { return [Mismatch.notRepeatable(discrepancy, in: source)] }
            return source.sightings
                .filter { !expectation.allows($0.outcome.kind, on: source.runtime) }
                .map { Mismatch.notAllowed($0, in: source) }
        }
        // If only native runs were requested, they have to show something.
        if let runs = evidence.first, evidence.count == 1, runs.runtime == .native, runs.hasSeenNoEnd {
            return [.nothingSeen(in: runs)]
        }
        let search = evidence.first { $0.runtime == .controlled && $0.discrepancy == nil }
        return surprises + (search.map { missing(in: $0, evidence, expectation, states, needsProof: needsProof) } ?? [])
    }

    /// What the search should have shown.
    private static func missing(
        in search: Evidence, _ evidence: [Evidence], _ expectation: Expectation, _ states: [String], needsProof: Bool
    ) -> [Mismatch] {
        // A search in which no execution ended cannot be blamed for not showing something in particular.
        if search.hasSeenNoEnd { return [.nothingSeen(in: search)] }
        let gap = needsProof ? search.gap.map { [Mismatch.notProved($0, in: search)] } ?? [] : []
        let outcomes = expectation.findings.filter { kind in !evidence.contains { $0.shows(kind) } }
        let unseen = states.indices.filter { number in !evidence.contains { $0.seenStates.contains(number) } }
        let waiting = search.busyWaiting.flatMap { $0 == .none ? nil : [Mismatch.busyWaiting($0, in: search)] } ?? []
        return waiting
            + outcomes.map { .outcomeNotSeen($0, in: search) }
            + unseen.map { .stateNotSeen(states[$0], in: search) }
            + expectation.missingWarnings(in: evidence).map { .warningNotSeen($0, in: search) }
            + gap
    }
}

extension Evidence {
    /// Why the evidence is not a proof. Nil: it is one.
    fileprivate var gap: Extent.Limit? {
        if case .part(let limit) = extent { limit } else { nil }
    }
}
