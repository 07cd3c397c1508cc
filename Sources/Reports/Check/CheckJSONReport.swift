import Diagnosis
import Trace

/// The check report for scripts: one JSON object, described in docs/ci.md.
package struct CheckJSONReport {
    /// The version of the format. It changes when a member changes, but not when one is added.
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
        sink.writeLine { json in
            json.member("check", Self.version)
            json.member("passed", tally.passed)
            json.member("failed", tally.failed)
            json.member("undecided", tally.undecided)
            json.member("wrong", tally.wrong)
            json.member("errors", tally.errors)
            json.member("notRun", tally.notRun)
            json.member("known", tally.known)
            json.member("interrupted", isInterrupted)
            json.member("seconds", JSONText(duration.seconds(digits: 3)))
            json.array("scenarios", separator: ",\n") { json in
                json.endLine()
                for scenario in scenarios { json.object { write(scenario, to: &$0) } }
                if !scenarios.isEmpty { json.endLine() }
            }
        }
    }

    private func write(_ scenario: CheckedScenario, to json: inout JSONObject) {
        json.member("name", scenario.name)
        json.member("verdict", scenario.word)
        json.member("seconds", JSONText(scenario.duration.seconds(digits: 3)))
        json.member("expectation", scenario.expectation)
        if scenario.isRemembered { json.member("remembered", true) }
        json.member("allotted", scenario.allotted.map { JSONText($0.seconds(digits: 3)) })
        json.member("trace", scenario.trace)
        for evidence in scenario.evidence {
            json.object(named: evidence.runtime.rawValue) { write(evidence, scenario.states, to: &$0) }
        }
        switch scenario.verdict {
        case .asExpected, .notRun: break
        case .wrong(let text), .error(let text), .stale(let text), .lostProof(let text): json.member("message", text)
        case .evading(let differences):
            json.objects("differences", differences) { difference, json in
                json.member("code", difference.code)
                json.member("message", difference.message)
                json.member("line", difference.line)
                json.member("column", difference.column)
            }
        case .mismatched(let flaws), .undecided(let flaws): json.objects("failures", flaws) { write($0, to: &$1) }
        }
        if !scenario.account.isEmpty { json.objects("account", scenario.account) { $0.write(to: &$1) } }
    }

    private func write(_ evidence: Evidence, _ states: [String], to json: inout JSONObject) {
        json.member("runs", evidence.runs)
        if let cut = evidence.cut {
            json.member("ended", evidence.ended)
            json.member("cutOff", cut.executions)
            json.member("maximumSteps", cut.steps)
        }
        switch evidence.extent {
        case .all(let explored, let premises):
            json.member("proof", true)
            json.member(named: explored.kind.rawValue, explored.count)
            premises.write(to: &json)
        case .part(let limit):
            json.member("proof", false)
            json.member("limit", limit.rawValue)
        }
        json.objects("outcomes", evidence.sightings) { write($0, to: &$1) }
        if evidence.examined > 0 {
            json.member("examined", evidence.examined)
            json.objects("warnings", evidence.warnings) { warning, json in
                json.member("warning", warning.kind.rawValue)
                json.member("count", warning.count)
                write(warning.first, to: &json)
            }
        }
        json.array("states", evidence.seenStates.sorted().map { states[$0] })
    }

    private func write(_ sighting: Evidence.Sighting, to json: inout JSONObject) {
        json.member("outcome", sighting.outcome.kind.rawValue)
        json.member("count", sighting.count)
        write(sighting.first, to: &json)
        json.member("file", sighting.place?.file)
        json.member("line", sighting.place?.line)
    }

    private func write(_ execution: Evidence.Execution?, to json: inout JSONObject) {
        json.member("execution", execution?.number)
        json.member("schedule", execution?.schedule)
    }

    private func write(_ flaw: CheckedScenario.Flaw, to json: inout JSONObject) {
        switch flaw.mismatch {
        case .notAllowed(let sighting, let evidence):
            json.member("kind", "not-expected")
            json.member("runtime", evidence.runtime.rawValue)
            write(sighting, to: &json)
            json.member("summary", sighting.outcome.summary)
            json.array("details", sighting.outcome.details)
        case .outcomeNotSeen(let kind, let evidence):
            json.member("kind", "not-seen")
            json.member("proof", evidence.isProof)
            json.member("outcome", kind.rawValue)
        case .stateNotSeen(let state, let evidence):
            json.member("kind", "not-seen")
            json.member("proof", evidence.isProof)
            json.member("state", state)
        case .warningNotSeen(let kind, _):
            json.member("kind", "not-seen")
            json.member("proof", false)
            json.member("warning", kind.rawValue)
        case .notProved(let limit, _):
            json.member("kind", "not-proved")
            json.member("limit", limit.rawValue)
        case .busyWaiting(let waiting, _):
            json.member("kind", waiting == .unknown ? "not-proved" : "busy-waiting")
            // The step is in the message.
            if case .found(_, let execution, let place) = waiting {
                write(execution, to: &json)
                json.member("file", place?.file)
                json.member("line", place?.line)
            }
        case .notRepeatable: json.member("kind", "not-repeatable")
        case .nothingSeen: json.member("kind", "nothing-seen")
        }
        json.member("message", EvidenceWords.sentence(flaw.mismatch))
        json.member("command", flaw.command)
    }
}
