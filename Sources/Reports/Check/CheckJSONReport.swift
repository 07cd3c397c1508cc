import Diagnosis
import Trace

/// The check for scripts: one JSON object, as docs/ci.md describes it.
package struct CheckJSONReport {
    /// Of the object's form. A new member changes nothing; a changed one gets the next number.
    private static let version = 1

    private let scenarios: [CheckedScenario]
    private let duration: UInt64
    private let isInterrupted: Bool

    /// - Parameter duration: of the whole check, in nanoseconds.
    package init(_ scenarios: [CheckedScenario], duration: UInt64, isInterrupted: Bool) {
        self.scenarios = scenarios
        self.duration = duration
        self.isInterrupted = isInterrupted
    }

    package func write(to sink: inout ByteSink) {
        let tally = CheckTally(scenarios)
        sink.write("{\"check\":\(Self.version),\"passed\":\(tally.passed),\"failed\":\(tally.failed)")
        sink.write(",\"wrong\":\(tally.wrong),\"errors\":\(tally.errors),\"notRun\":\(tally.notRun)")
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
        sink.write(",\"verdict\":\"\(scenario.verdict.word)\",\"seconds\":\(scenario.duration.seconds(digits: 3))")
        if let expectation = scenario.expectation {
            sink.write(",\"expectation\":")
            sink.write(json: expectation)
        }
        for evidence in scenario.evidence { write(evidence, scenario.states, to: &sink) }
        switch scenario.verdict {
        case .asExpected, .notRun: break
        case .wrong(let text), .error(let text):
            sink.write(",\"message\":")
            sink.write(json: text)
        case .mismatched(let flaws):
            sink.write(",\"failures\":[")
            for (number, flaw) in flaws.enumerated() {
                sink.write(number > 0 ? "," : "")
                write(flaw, to: &sink)
            }
            sink.write("]")
        }
        sink.write("}")
    }

    private func write(_ evidence: Evidence, _ states: [String], to sink: inout ByteSink) {
        let outcomes = evidence.sightings.map { "\"\($0.outcome.kind.rawValue)\":\($0.count)" }
        sink.write(",\"\(evidence.runtime.rawValue)\":{\"runs\":\(evidence.runs)")
        sink.write(",\"outcomes\":{\(outcomes.joined(separator: ","))},\"states\":{")
        for (number, (state, count)) in zip(states, evidence.states).enumerated() {
            sink.write(number > 0 ? "," : "")
            sink.write(json: state)
            sink.write(":\(count)")
        }
        sink.write("}}")
    }

    private func write(_ flaw: CheckedScenario.Flaw, to sink: inout ByteSink) {
        switch flaw.mismatch {
        case .notAllowed(let sighting, let evidence):
            sink.write("{\"kind\":\"not-expected\",\"outcome\":\"\(sighting.outcome.kind.rawValue)\"")
            sink.write(",\"runtime\":\"\(evidence.runtime.rawValue)\",\"count\":\(sighting.count)")
            if let seed = sighting.seed { sink.write(",\"seed\":\(seed)") }
            sink.write(",\"summary\":")
            sink.write(json: sighting.outcome.summary)
            sink.write(",\"details\":[")
            for (number, detail) in sighting.outcome.details.enumerated() {
                sink.write(number > 0 ? "," : "")
                sink.write(json: detail)
            }
            sink.write("]")
        case .outcomeNotSeen(let kind, _): sink.write("{\"kind\":\"not-seen\",\"outcome\":\"\(kind.rawValue)\"")
        case .stateNotSeen(let state, _):
            sink.write("{\"kind\":\"not-seen\",\"state\":")
            sink.write(json: state)
        }
        sink.write(",\"message\":")
        sink.write(json: EvidenceWords.sentence(flaw.mismatch))
        sink.write(",\"command\":")
        sink.write(json: flaw.command)
        sink.write("}")
    }
}
