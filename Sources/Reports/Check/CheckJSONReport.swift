import Diagnosis
import Trace

/// The check report for scripts: one JSON object, described in docs/ci.md.
package struct CheckJSONReport {
    /// The version of the format. A new member does not change it; a changed member does.
    private static let version = 2

    private let scenarios: [CheckedScenario]
    private let duration: UInt64
    private let isInterrupted: Bool

    /// - Parameter duration: the duration of the whole check, in nanoseconds.
    package init(_ scenarios: [CheckedScenario], duration: UInt64, isInterrupted: Bool) {
        self.scenarios = scenarios
        self.duration = duration
        self.isInterrupted = isInterrupted
    }

    package func write(to sink: inout ByteSink) {
        let tally = CheckTally(scenarios)
        sink.write("{\"check\":\(Self.version),\"passed\":\(tally.passed),\"failed\":\(tally.failed)")
        sink.write(
            ",\"wrong\":\(tally.wrong),\"errors\":\(tally.errors),\"notRun\":\(tally.notRun),\"known\":\(tally.known)")
        sink.write(",\"interrupted\":\(isInterrupted),\"seconds\":\(duration.seconds(digits: 3)),\"scenarios\":[")
        sink.endLine()
        for (number, scenario) in scenarios.enumerated() {
            write(scenario, to: &sink)
            sink.write(number < scenarios.count - 1 ? "," : "")
            sink.endLine()
        }
        sink.write("]}")
        sink.endLine()
    }

    private func write(_ scenario: CheckedScenario, to sink: inout ByteSink) {
        sink.write("{\"name\":")
        sink.write(json: scenario.name)
        sink.write(",\"verdict\":\"\(scenario.word)\",\"seconds\":\(scenario.duration.seconds(digits: 3))")
        if let expectation = scenario.expectation {
            sink.write(",\"expectation\":")
            sink.write(json: expectation)
        }
        if scenario.isRemembered { sink.write(",\"remembered\":true") }
        if let trace = scenario.trace {
            sink.write(",\"trace\":")
            sink.write(json: trace)
        }
        for evidence in scenario.evidence { write(evidence, scenario.states, to: &sink) }
        switch scenario.verdict {
        case .asExpected, .notRun: break
        case .wrong(let text), .error(let text), .stale(let text):
            sink.write(",\"message\":")
            sink.write(json: text)
        case .mismatched(let flaws):
            sink.write(member: "failures", flaws) { write($0, to: &$1) }
        }
        sink.write("}")
    }

    private func write(_ evidence: Evidence, _ states: [String], to sink: inout ByteSink) {
        sink.write(",\"\(evidence.runtime.rawValue)\":{\"runs\":\(evidence.runs)")
        switch evidence.extent {
        case .all(let explored, let passesTime):
            sink.write(",\"proof\":true,\"\(explored.kind.rawValue)\":\(explored.count),\"lazyTime\":\(passesTime)")
        case .part(let limit): sink.write(",\"proof\":false,\"limit\":\"\(limit.rawValue)\"")
        }
        sink.write(member: "outcomes", evidence.sightings) { sighting, sink in
            sink.write("{")
            writeMembers(sighting, to: &sink)
            sink.write("}")
        }
        if evidence.examined > 0 {
            sink.write(",\"examined\":\(evidence.examined)")
            sink.write(member: "warnings", evidence.warnings) { warning, sink in
                sink.write("{\"warning\":\"\(warning.kind.rawValue)\",\"count\":\(warning.count)")
                write(warning.first, to: &sink)
                sink.write("}")
            }
        }
        sink.write(member: "states", evidence.seenStates.sorted()) { $1.write(json: states[$0]) }
        sink.write("}")
    }

    private func writeMembers(_ sighting: Evidence.Sighting, to sink: inout ByteSink) {
        sink.write("\"outcome\":\"\(sighting.outcome.kind.rawValue)\",\"count\":\(sighting.count)")
        write(sighting.first, to: &sink)
        if let place = sighting.place {
            sink.write(",\"file\":")
            sink.write(json: place.file)
            sink.write(",\"line\":\(place.line)")
        }
    }

    private func write(_ execution: Evidence.Execution?, to sink: inout ByteSink) {
        guard let execution else { return }
        sink.write(",\"execution\":\(execution.number),\"schedule\":")
        sink.write(json: execution.schedule)
    }

    private func write(_ flaw: CheckedScenario.Flaw, to sink: inout ByteSink) {
        switch flaw.mismatch {
        case .notAllowed(let sighting, let evidence):
            sink.write("{\"kind\":\"not-expected\",\"runtime\":\"\(evidence.runtime.rawValue)\",")
            writeMembers(sighting, to: &sink)
            sink.write(",\"summary\":")
            sink.write(json: sighting.outcome.summary)
            sink.write(member: "details", sighting.outcome.details) { $1.write(json: $0) }
        case .outcomeNotSeen(let kind, let evidence):
            sink.write("{\"kind\":\"not-seen\",\"proof\":\(evidence.isProof),\"outcome\":\"\(kind.rawValue)\"")
        case .stateNotSeen(let state, let evidence):
            sink.write("{\"kind\":\"not-seen\",\"proof\":\(evidence.isProof),\"state\":")
            sink.write(json: state)
        case .warningNotSeen(let kind, _):
            sink.write("{\"kind\":\"not-seen\",\"proof\":false,\"warning\":\"\(kind.rawValue)\"")
        case .notProved(let limit, _): sink.write("{\"kind\":\"not-proved\",\"limit\":\"\(limit.rawValue)\"")
        case .notRepeatable: sink.write("{\"kind\":\"not-repeatable\"")
        }
        sink.write(",\"message\":")
        sink.write(json: EvidenceWords.sentence(flaw.mismatch))
        sink.write(",\"command\":")
        sink.write(json: flaw.command)
        sink.write("}")
    }
}
