import Diagnosis
import Testing
import Trace

@testable import Supervision

@Suite struct EvidenceTests {
    static let samples = [
        Evidence(.controlled, runs: 3, .all(Explored(.traces, 2), Premises(passesTime: true))),
        Evidence(.native, runs: 0, .part(.time)),
        Evidence(
            .controlled, runs: 1 << 48, .part(.noNews),
            sightings: [
                Evidence.Sighting(
                    count: 2,
                    outcome: Outcome(
                        .deadlock, summary: "\u{0}ünï", details: ["", String(repeating: "x", count: 100_000)],
                        guide: "G"),
                    first: Evidence.Execution(number: 7, schedule: "0x2,1"),
                    place: Evidence.Place(file: "a.lab", line: 3)),
                Evidence.Sighting(count: 1, outcome: Outcome(.crash, summary: "")),
            ], seenStates: [0, 5], examined: 100,
            warnings: [
                Evidence.Warning(.starvation, count: 3, first: Evidence.Execution(number: 2, schedule: "0x2,1")),
                Evidence.Warning(.cutOff, count: 1),
            ], discrepancy: "it ended differently"),
    ]

    @Test(arguments: samples) func `what one process sends, another receives`(evidence: Evidence) throws {
        var words = WordWriter()
        evidence.write(to: &words)
        var reader = WordReader(words.words[...])
        #expect(try Evidence(from: &reader) == evidence)
        #expect(reader.isEmpty)
    }

    @Test(arguments: samples) func `what is written to a file is read from it`(evidence: Evidence) {
        #expect(Evidence(bytes: evidence.bytes) == evidence)
    }

    @Test func `bytes that are not evidence are refused, whatever they are`() {
        let bytes = Self.samples[2].bytes
        #expect(Evidence(bytes: []) == nil && Evidence(bytes: bytes.dropLast(8)) == nil)
        #expect(Evidence(bytes: bytes.dropLast()) == nil && Evidence(bytes: bytes + Array(bytes.prefix(8))) == nil)
        var small = Self.samples[2]
        small.sightings[0].outcome.details = ["", "x"]
        // Each byte in turn. Reading must end well, whatever it gives.
        let accepted = small.bytes.indices.filter { place in
            var damaged = small.bytes
            damaged[place] ^= 0xFF
            return Evidence(bytes: damaged) != nil
        }
        #expect(accepted.count < small.bytes.count / 2)
    }

    @Test func `runs on real threads are counted by outcome, and the first of each is kept`() {
        var evidence = Evidence(.native, runs: 0, .part(.runs))
        for (index, kind) in [OutcomeKind.race, .completed, .race, .deadlock].enumerated() {
            evidence.add(Outcome(kind, summary: "run \(index)"), states: [index / 2])
        }
        #expect(evidence.runs == 4 && evidence.seenStates == [0, 1])
        #expect(evidence.sightings.map(\.outcome.kind) == [.completed, .deadlock, .race])
        #expect(evidence.sightings.map(\.count) == [1, 1, 2])
        #expect(evidence.sightings.map(\.outcome.summary) == ["run 1", "run 3", "run 0"])
    }
}
