import Diagnosis
import Testing
import Trace

@testable import Supervision

/// What one process writes down, another reads.
@Suite struct EvidenceMemoryTests {
    private func trace(seeing states: [String]) -> TraceDocument {
        var trace = TraceDocument(header: TraceHeader(scenario: "test", runtime: .controlled))
        trace.texts = states
        trace.events = states.indices.map { Event(time: 0, thread: .main, kind: .stateSeen, value: Int64($0)) }
        return trace
    }

    @Test func `outcomes are counted, and the first of each is kept whole`() throws {
        let memory = try EvidenceMemory(states: [])
        for seed: UInt64 in 5...9 {
            memory.begin(seed: seed)
            let kind: OutcomeKind = seed % 2 == 0 ? .deadlock : .completed
            memory.end(Outcome(kind, summary: "seed \(seed)", details: ["first\u{0}", "", "ünï"]))
        }
        let evidence = memory.evidence(.controlled, of: 10, guide: "G")
        #expect(evidence.runs == 5 && evidence.wantedRuns == 10)
        #expect(evidence.sightings.map(\.count) == [3, 2])
        #expect(evidence.sightings.map(\.seed) == [5, 6])
        let outcome = Outcome(.deadlock, summary: "seed 6", details: ["first\u{0}", "", "ünï"], guide: "G")
        #expect(evidence.sightings[1].outcome == outcome)
        #expect(evidence.count(of: .deadlock) == 2 && evidence.count(of: .race) == 0)
    }

    @Test func `runs on real threads have no seed`() throws {
        let memory = try EvidenceMemory(states: [])
        memory.begin(seed: nil)
        memory.end(Outcome(.completed, summary: ""))
        #expect(memory.evidence(.native, of: 1, guide: nil).sightings.map(\.seed) == [nil])
    }

    @Test func `states are counted by the run`() throws {
        let memory = try EvidenceMemory(states: ["a", "b", "c"])
        for states in [["a"], ["a", "c"], ["unknown"]] {
            memory.begin(seed: 1)
            memory.end(Outcome(.completed, summary: ""), trace(seeing: states))
        }
        #expect(memory.evidence(.controlled, of: 3, guide: nil).states == [2, 0, 1])
    }

    @Test func `the present run is known until it has ended`() throws {
        let memory = try EvidenceMemory(states: [])
        #expect(memory.present == nil)
        memory.begin(seed: 7)
        #expect(memory.present?.seed == 7 && memory.runs == 0)
        memory.end(Outcome(.completed, summary: ""))
        #expect(memory.present == nil && memory.runs == 1)
    }

    @Test func `an explanation that is too long is cut, and the counts stand`() throws {
        let memory = try EvidenceMemory(states: [])
        let long = String(repeating: "x", count: 400_000)
        for (kind, details) in [(OutcomeKind.deadlock, [long, long, long]), (.race, [long]), (.leak, [])] {
            memory.begin(seed: 1)
            memory.end(Outcome(kind, summary: "what", details: details))
        }
        let sightings = memory.evidence(.controlled, of: 3, guide: nil).sightings
        #expect(sightings.map(\.outcome.kind) == [.deadlock, .race, .leak])
        #expect(sightings.map(\.outcome.summary) == ["what", "what", "what"])
        #expect(sightings.map(\.outcome.details.count) == [2, 0, 0])
    }

    @Test func `what went wrong with threadlab itself is told`() throws {
        let memory = try EvidenceMemory(states: [])
        #expect(memory.failure == nil)
        memory.fail("no memory")
        #expect(memory.failure == "no memory")
    }
}
