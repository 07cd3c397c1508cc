import Diagnosis
import Trace

/// The check report for people: one line per scenario, then the failures in full, and the number of passes.
package struct CheckTextReport {
    private let options: ReportOptions
    private let nameWidth: Int

    private static let widestName = 48
    /// The column at which the seconds end.
    private static let timeEnd = 15

    /// - Parameter names: the names of all scenarios, to set the column width.
    package init(names: [String], _ options: ReportOptions) {
        self.options = options
        nameWidth = min(names.lazy.map { Label($0, ascii: options.ascii).width }.max() ?? 0, Self.widestName)
    }

    /// The line of one scenario.
    package func write(_ scenario: CheckedScenario, to sink: inout ByteSink) {
        guard let (word, colour) = Self.mark(scenario.verdict) else { return }
        var line = Line(options)
        line.put(Label(word), at: 0, colour, to: &sink)
        line.put(Label("\(scenario.duration.seconds(digits: 2)) s"), before: Self.timeEnd, .dim, to: &sink)
        let start = Self.timeEnd + 2
        line.put(label(scenario.name), at: start, to: &sink)
        line.put(label(Self.remark(scenario)), at: start + nameWidth + 2, to: &sink)
        line.end(to: &sink)
    }

    /// The failures, and the totals.
    ///
    /// - Parameter duration: the duration of the whole check, in nanoseconds.
    package func writeEnd(
        _ scenarios: [CheckedScenario], duration: UInt64, isInterrupted: Bool, to sink: inout ByteSink
    ) {
        for scenario in scenarios where scenario.verdict.isFailure {
            sink.endLine()
            writeFailure(scenario, to: &sink)
        }
        let tally = CheckTally(scenarios)
        var line = Line(options)
        line.end(to: &sink)
        if isInterrupted { line.put(Label("interrupted:"), at: 0, .bad, to: &sink) }
        let isGood = tally.passed == tally.total
        line.put(Label(tally.description), at: 0, isGood ? .good : .bad, to: &sink)
        line.put(Label("(\(duration.seconds(digits: 1)) s)"), at: 0, .dim, to: &sink)
        line.end(to: &sink)
    }

    /// The progress line on a terminal, without its line end.
    package func progress(done: Int, of count: Int, failed: Int, now names: [String]) -> String {
        let failures = failed > 0 ? ", \(failed) failed" : ""
        let text = "\(done) of \(count)\(failures): \(names.joined(separator: ", "))"
        return label(text).clipped(to: max(options.width - 1, 20), ascii: options.ascii).text
    }

    // MARK: - Lines

    private func label(_ text: String) -> Label { Label(text, ascii: options.ascii) }

    private static func mark(_ verdict: CheckedScenario.Verdict) -> (String, Colour)? {
        switch verdict {
        case .asExpected: ("pass", .good)
        case .mismatched: ("FAIL", .bad)
        case .wrong: ("WRONG", .bad)
        case .error: ("ERROR", .bad)
        case .notRun: nil
        }
    }

    private static func remark(_ scenario: CheckedScenario) -> String {
        switch scenario.verdict {
        case .asExpected, .notRun: EvidenceWords.summary(scenario)
        case .mismatched(let flaws):
            EvidenceWords.sentence(flaws[0].mismatch) + (flaws.count > 1 ? " (and \(flaws.count - 1) more)" : "")
        case .wrong(let text), .error(let text): text.firstLine
        }
    }

    private func writeFailure(_ scenario: CheckedScenario, to sink: inout ByteSink) {
        var line = Line(options)
        line.put(Label(Self.mark(scenario.verdict)?.0 ?? ""), at: 0, .bad, to: &sink)
        line.put(label(scenario.name), at: 0, .bold, to: &sink)
        if let expectation = scenario.expectation { line.put(label("\(expectation)"), at: 0, .dim, to: &sink) }
        line.end(to: &sink)
        for text in Self.story(scenario.verdict) {
            line.put(label(text), at: 2, to: &sink)
            line.end(to: &sink)
        }
    }

    /// The details of a failure, one per line.
    static func story(_ verdict: CheckedScenario.Verdict) -> [String] {
        switch verdict {
        case .asExpected, .notRun: []
        case .wrong(let text), .error(let text):
            text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        case .mismatched(let flaws): flaws.flatMap { story($0) }
        }
    }

    private static func story(_ flaw: CheckedScenario.Flaw) -> [String] {
        var lines = [EvidenceWords.sentence(flaw.mismatch)]
        if case .notAllowed(let sighting, _) = flaw.mismatch {
            lines += ([sighting.outcome.summary] + sighting.outcome.details).map { $0.isEmpty ? "" : "  \($0)" }
        }
        return lines + ["  \(flaw.command)"]
    }
}

extension String {
    fileprivate var firstLine: String { String(prefix { !$0.isNewline }) }
}
