import Diagnosis
import Scenarios
import Testing
import Trace

@testable import Supervision

/// What evidence is worth, against each form of expectation.
@Suite struct JudgementTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var expectation: Scenarios.Expectation
        var controlled: [OutcomeKind: Int]?
        var native: [OutcomeKind: Int]? = nil
        var states: (controlled: [Int], native: [Int]) = ([], [])
        /// As `described` puts it.
        var mismatches: [String] = []

        init(
            _ description: String, _ expectation: Scenarios.Expectation, controlled: [OutcomeKind: Int]? = nil,
            native: [OutcomeKind: Int]? = nil, states: (controlled: [Int], native: [Int]) = ([], []),
            mismatches: [String] = []
        ) {
            testDescription = description
            self.expectation = expectation
            self.controlled = controlled
            self.native = native
            self.states = states
            self.mismatches = mismatches
        }
    }

    static let cases: [Case] = [
        Case("a mended one completes", .completes, controlled: [.completed: 1000], native: [.completed: 3]),
        Case(
            "a mended one does not", .completes, controlled: [.completed: 999, .deadlock: 1],
            mismatches: ["controlled deadlock"]),
        Case(
            "a mended one does not on real threads", .completes, controlled: [.completed: 1000], native: [.race: 1],
            mismatches: ["native race"]),
        Case("a finding is found", .may(.deadlock), controlled: [.completed: 990, .deadlock: 10]),
        Case("a finding always comes", .may(.deadlock), controlled: [.deadlock: 1000]),
        Case(
            "a finding is not found", .may(.deadlock), controlled: [.completed: 1000], native: [.completed: 3],
            mismatches: ["no deadlock"]),
        Case(
            "a finding is found on real threads only", .may(.deadlock), controlled: [.completed: 1000],
            native: [.deadlock: 1]),
        Case("real threads need not show a finding", .may(.deadlock), native: [.completed: 3]),
        Case(
            "one of two findings is not found", .may(.race, .assertion), controlled: [.race: 500, .completed: 500],
            mismatches: ["no assertion"]),
        Case(
            "another outcome beside the finding", .may(.deadlock), controlled: [.deadlock: 10, .crash: 1],
            mismatches: ["controlled crash"]),
        Case("it must fail, and does", .must(.leak), controlled: [.leak: 1000], native: [.leak: 3]),
        Case(
            "it must fail, and completes once", .must(.leak), controlled: [.leak: 999, .completed: 1],
            mismatches: ["controlled completed"]),
        Case(
            "it must fail, and completes on real threads", .must(.leak), controlled: [.leak: 10],
            native: [.completed: 1], mismatches: ["native completed"]),
        Case("what may be as well need not be seen", .completes.orElse(.timeout), controlled: [.completed: 10]),
        Case("what may be as well is seen", .completes.orElse(.timeout), controlled: [.timeout: 10]),
        Case("no run at all shows nothing", .may(.deadlock), controlled: [:], mismatches: ["no deadlock"]),
        Case(
            "each state is seen, on either runtime", .completes, controlled: [.completed: 9], native: [.completed: 1],
            states: ([5, 0], [0, 1])),
        Case(
            "a state is not seen", .completes, controlled: [.completed: 9], states: ([9, 0], []),
            mismatches: ["no state b"]),
        Case("real threads need not show a state", .completes, native: [.completed: 3], states: ([], [3, 0])),
    ]

    @Test(arguments: cases) func `evidence is held to the expectation`(sample: Case) {
        var evidence: [Evidence] = []
        if let counts = sample.controlled {
            evidence.append(Self.evidence(.controlled, counts, sample.states.controlled))
        }
        if let counts = sample.native { evidence.append(Self.evidence(.native, counts, sample.states.native)) }
        let states = evidence.first.map { Array(["a", "b"].prefix($0.states.count)) } ?? []
        let mismatches = Judgement.mismatches(evidence, sample.expectation, states: states)
        #expect(mismatches.map(Self.described) == sample.mismatches)
    }

    private static func evidence(
        _ runtime: TraceHeader.Runtime, _ counts: [OutcomeKind: Int], _ states: [Int]
    ) -> Evidence {
        let runs = counts.values.reduce(0, +)
        let sightings = OutcomeKind.allCases.compactMap { kind in
            counts[kind].map { Evidence.Sighting(count: $0, outcome: Outcome(kind, summary: "")) }
        }
        return Evidence(runtime, runs: runs, of: runs, sightings: sightings, states: states)
    }

    private static func described(_ mismatch: Mismatch) -> String {
        switch mismatch {
        case .notAllowed(let sighting, let evidence): "\(evidence.runtime) \(sighting.outcome.kind)"
        case .outcomeNotSeen(let kind, _): "no \(kind)"
        case .stateNotSeen(let state, _): "no state \(state)"
        }
    }
}
