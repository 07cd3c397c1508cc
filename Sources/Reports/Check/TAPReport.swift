import Diagnosis
import Trace

/// The check report in the Test Anything Protocol, version 13, which Perl's `prove` reads: one line per scenario, with
/// a diagnosis in YAML.
package struct TAPReport {
    package init() {}

    package func writeBegin(count: Int, to sink: inout ByteSink) {
        put("TAP version 13", to: &sink)
        put("1..\(count)", to: &sink)
    }

    /// - Parameter number: the number of the scenario, from 1.
    package func write(_ scenario: CheckedScenario, number: Int, to sink: inout ByteSink) {
        let name = Self.escaped(Label(scenario.name).text)
        switch scenario.verdict {
        case .asExpected: put("ok \(number) - \(name)", to: &sink)
        case .notRun: return put("ok \(number) - \(name) # SKIP not run", to: &sink)
        case .mismatched, .evading, .undecided, .wrong, .stale, .lostProof, .error:
            put("not ok \(number) - \(name)\(scenario.isKnown ? " # TODO known failure" : "")", to: &sink)
        }
        put("  ---", to: &sink)
        put("  duration_ms: \(scenario.duration / 1_000_000)", to: &sink)
        if !scenario.evidence.isEmpty { put("evidence", [EvidenceWords.summary(scenario)], to: &sink) }
        if scenario.verdict.isFailure {
            put("  verdict: \(scenario.word)", to: &sink)
            if let expectation = scenario.expectation { put("expectation", [expectation], to: &sink) }
            put("message", CheckStory(scenario).lines.map(\.text), to: &sink)
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

    /// Writes text as a block scalar of YAML, in which nothing needs to be escaped. TAP readers support only parts of
    /// YAML.
    private func put(_ key: String, _ lines: [String], to sink: inout ByteSink) {
        put("  \(key): |", to: &sink)
        // Empty lines are left out, because some readers end the block there. The first line must not begin with a
        // blank, because readers take the indentation of the block from it.
        for line in lines where !line.isEmpty { put("    \(Label(line).text)", to: &sink) }
    }

    /// Escapes characters that could begin a directive.
    private static func escaped(_ name: String) -> String {
        name.replacing("\\", with: "\\\\").replacing("#", with: "\\#")
    }
}
