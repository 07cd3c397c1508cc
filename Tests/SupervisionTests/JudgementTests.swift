import Authoring
import Diagnosis
import Testing
import Trace

@testable import Supervision

/// The value of evidence for each form of expectation.
@Suite struct JudgementTests {
    struct Case: CustomTestStringConvertible {
        var testDescription: String
        var expectation: Authoring.Expectation
        var controlled: [OutcomeKind]?
        var native: [OutcomeKind]? = nil
        /// Of two, those that were seen.
        var states: (controlled: Set<Int>, native: Set<Int>)?
        /// In the form of `described`.
        var mismatches: [String] = []

        init(
            _ description: String, _ expectation: Authoring.Expectation, controlled: [OutcomeKind]? = nil,
            native: [OutcomeKind]? = nil, states: (controlled: Set<Int>, native: Set<Int>)? = nil,
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
        Case("a fixed one completes", .completes, controlled: [], native: [.completed]),
        Case("a fixed one does not", .completes, controlled: [.deadlock], mismatches: ["controlled deadlock"]),
        Case(
            "a fixed one does not on real threads", .completes, controlled: [], native: [.race],
            mismatches: ["native race"]),
        Case("a finding is found", .may(.deadlock), controlled: [.deadlock]),
        Case(
            "a finding is not found", .may(.deadlock), controlled: [], native: [.completed],
            mismatches: ["no deadlock"]),
        Case(
            "a finding is found on real threads only", .may(.deadlock), controlled: [], native: [.completed, .deadlock]),
        Case("real threads need not show a finding", .may(.deadlock), native: [.completed]),
        Case(
            "one of two findings is not found", .may(.race, .assertion), controlled: [.race],
            mismatches: ["no assertion"]),
        Case(
            "another outcome beside the finding", .may(.deadlock), controlled: [.deadlock, .crash],
            mismatches: ["controlled crash"]),
        Case("it must fail, and does", .must(.leak), controlled: [.leak], native: [.leak]),
        Case(
            "it must fail, and completes once", .must(.leak), controlled: [.completed, .leak],
            mismatches: ["controlled completed"]),
        Case(
            "it must fail, and completes on real threads", .must(.leak), controlled: [.leak], native: [.completed],
            mismatches: ["native completed"]),
        Case(
            "real threads are given up where the scheduler sees a livelock", .may(.livelock), controlled: [.livelock],
            native: [.completed, .timeout]),
        Case(
            "a livelock that always comes is a time-out on real threads", .must(.livelock), controlled: [.livelock],
            native: [.timeout]),
        Case(
            "under the scheduler a time-out is no livelock", .may(.livelock), controlled: [.livelock, .timeout],
            native: [], mismatches: ["controlled timeout"]),
        Case(
            "a time-out on real threads does not show a livelock", .may(.livelock), controlled: [], native: [.timeout],
            mismatches: ["no livelock"]),
        Case(
            "real threads are given up where nothing of the kind is promised", .may(.deadlock), controlled: [.deadlock],
            native: [.timeout], mismatches: ["native timeout"]),
        Case("what may be as well need not be seen", .completes.orElse(.timeout), controlled: []),
        Case("what may be as well is seen", .completes.orElse(.timeout), controlled: [.timeout]),
        Case(
            "each state is seen, on either runtime", .completes, controlled: [], native: [.completed],
            states: ([0], [1])),
        Case("a state is not seen", .completes, controlled: [], states: ([0], []), mismatches: ["no state b"]),
        Case("real threads need not show a state", .completes, native: [.completed], states: ([], [0])),
    ]

    @Test(arguments: cases) func `evidence is held to the expectation`(sample: Case) {
        var evidence: [Evidence] = []
        if let kinds = sample.controlled {
            evidence.append(Self.evidence(.controlled, kinds, sample.states?.controlled ?? []))
        }
        if let kinds = sample.native { evidence.append(Self.evidence(.native, kinds, sample.states?.native ?? [])) }
        let states = sample.states == nil ? [] : ["a", "b"]
        let mismatches = Judgement.mismatches(evidence, sample.expectation, states: states)
        #expect(mismatches.map(Self.described) == sample.mismatches)
    }

    @Test func `of executions that cannot be repeated nothing else counts`() {
        var search = Self.evidence(.controlled, [.crash], [])
        search.discrepancy = "it ended differently"
        let native = Self.evidence(.native, [.leak], [])
        let mismatches = Judgement.mismatches([search, native], .may(.deadlock), states: ["a"])
        #expect(mismatches.map(Self.described) == ["it ended differently", "native leak"])
    }

    @Test func `a proof can be required, which only a search gives`() {
        func mismatches(_ extent: Extent) -> [String] {
            var search = Self.evidence(.controlled, [], [])
            search.extent = extent
            let native = Self.evidence(.native, [.completed], [])
            return Judgement.mismatches([search, native], .completes, needsProof: true).map(Self.described)
        }
        #expect(mismatches(.all(Explored(.traces, 1), Premises(passesTime: true))).isEmpty)
        #expect(mismatches(.part(.noNews)) == ["no proof: noNews"])
    }

    @Test func `if no execution has ended, nothing that is missing counts, and the verdict is undecided`() {
        func verdict(_ native: [OutcomeKind], ended: Int) -> Judgement.Verdict {
            var search = Self.evidence(.controlled, [], [])
            search.ended = ended
            search.cut = Evidence.Cut(executions: 10 - ended, steps: 100)
            let runs = Self.evidence(.native, native, [])
            return Judgement.Verdict(
                Judgement.mismatches([search, runs], .may(.deadlock), states: ["a"], needsProof: true))
        }
        func described(_ verdict: Judgement.Verdict) -> String {
            switch verdict {
            case .asExpected: "as expected"
            case .undecided(let mismatches): "undecided: \(mismatches.map(Self.described))"
            case .unexpected(let mismatches): "unexpected: \(mismatches.map(Self.described))"
            }
        }
        // What real threads do is no search.
        #expect(described(verdict([.completed], ended: 0)) == "undecided: [\"nothing seen\"]")
        #expect(described(verdict([.leak], ended: 0)) == "unexpected: [\"native leak\", \"nothing seen\"]")
        #expect(
            described(verdict([.completed], ended: 1))
                == "unexpected: [\"no deadlock\", \"no state a\", \"no proof: runs\"]")
    }

    @Test func `a promised warning must be seen on either runtime, and only a search is blamed if it is not`() {
        func mismatches(_ controlled: [WarningKind]?, _ native: [WarningKind]?) -> [String] {
            let seen = [(TraceHeader.Runtime.controlled, controlled), (.native, native)]
            let evidence = seen.compactMap { runtime, kinds in
                kinds.map { kinds in
                    var evidence = Self.evidence(runtime, [], [])
                    evidence.examined = 100
                    evidence.warnings = kinds.map { Evidence.Warning($0, count: 1) }
                    return evidence
                }
            }
            let promised = Authoring.Expectation.may(warning: .starvation, .contention)
            return Judgement.mismatches(evidence, promised).map(Self.described)
        }
        #expect(mismatches([.starvation, .contention], nil).isEmpty)
        #expect(mismatches([.starvation], [.contention, .cutOff]).isEmpty)
        #expect(mismatches([.starvation], []) == ["no warning contention"])
        #expect(mismatches([], nil) == ["no warning starvation", "no warning contention"])
        #expect(mismatches(nil, []).isEmpty)
    }

    private static func evidence(
        _ runtime: TraceHeader.Runtime, _ kinds: [OutcomeKind], _ states: Set<Int>
    ) -> Evidence {
        let sightings = kinds.map { Evidence.Sighting(count: 1, outcome: Outcome($0, summary: "")) }
        return Evidence(runtime, runs: 10, .part(.runs), sightings: sightings, seenStates: states)
    }

    private static func described(_ mismatch: Mismatch) -> String {
        switch mismatch {
        case .notAllowed(let sighting, let evidence): "\(evidence.runtime) \(sighting.outcome.kind)"
        case .outcomeNotSeen(let kind, _): "no \(kind)"
        case .stateNotSeen(let state, _): "no state \(state)"
        case .warningNotSeen(let kind, _): "no warning \(kind)"
        case .notRepeatable(let discrepancy, _): discrepancy
        case .notProved(let limit, _): "no proof: \(limit)"
        case .nothingSeen: "nothing seen"
        case .busyWaiting(let waiting, _): "busy waiting: \(waiting)"
        }
    }
}
