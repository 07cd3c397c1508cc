import Diagnosis
import Trace

/// The check report in the Test Anything Protocol, version 14: one line per scenario, with a diagnosis in YAML for
/// failures.
package struct TAPReport {
    package init() {}

    package func writeBegin(count: Int, to sink: inout ByteSink) {
        put("TAP version 14", to: &sink)
        put("1..\(count)", to: &sink)
    }

    /// - Parameter number: from 1.
    package func write(_ scenario: CheckedScenario, number: Int, to sink: inout ByteSink) {
        let name = Self.escaped(Label(scenario.name).text)
        switch scenario.verdict {
        case .asExpected: put("ok \(number) - \(name)", to: &sink)
        case .notRun: put("ok \(number) - \(name) # SKIP not run", to: &sink)
        case .mismatched, .wrong, .error: put("not ok \(number) - \(name)", to: &sink)
        }
        if case .notRun = scenario.verdict { return }
        put("  ---", to: &sink)
        put("  duration_ms: \(scenario.duration / 1_000_000)", to: &sink)
        if !scenario.evidence.isEmpty {
            put("  evidence: ", quoted: EvidenceWords.summary(scenario), to: &sink)
        }
        if scenario.verdict.isFailure {
            put("  verdict: \(scenario.verdict.word)", to: &sink)
            if let expectation = scenario.expectation { put("  expectation: ", quoted: expectation, to: &sink) }
            put("  message:", to: &sink)
            for line in CheckTextReport.story(scenario.verdict) { put("    - ", quoted: line, to: &sink) }
        }
        put("  ...", to: &sink)
    }

    /// - Parameter isInterrupted: whether the check was interrupted before it was done.
    package func writeEnd(isInterrupted: Bool, to sink: inout ByteSink) {
        if isInterrupted { put("Bail out! interrupted", to: &sink) }
    }

    private func put(_ line: String, to sink: inout ByteSink) {
        sink.write(line)
        sink.endLine()
    }

    /// A JSON string is also a YAML scalar in double quotation marks.
    private func put(_ key: String, quoted text: String, to sink: inout ByteSink) {
        sink.write(key)
        sink.write(json: text)
        sink.endLine()
    }

    /// Characters that would begin a directive are escaped.
    private static func escaped(_ name: String) -> String {
        name.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }
}
