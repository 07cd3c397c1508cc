import Authoring
import Console
import Supervision
import Text
import Trace

/// The report on many runs: perhaps a line for each, then the number of runs, the first run of each outcome, and how to
/// repeat one of them (`example`).
struct RepetitionReport {
    private let plan: RunPlan
    private let count: Int
    private let hasLines: Bool
    private let output: TraceOutput
    /// The number of digits of the greatest run number, and of the last seed.
    private let width: Int
    private let seedWidth: Int

    var tally = OutcomeTally()
    /// The signal that ended the runs early.
    var signal: Int32?
    /// Whether a run in a process with others differed from the same run in a process of its own.
    var isUnrepeatable = false
    private var findings = FindingTally()
    /// The number of runs that were examined for findings.
    private var examined = 0
    /// By promised warning: the number of examined runs that showed it.
    private var promised: [WarningKind: Int] = [:]
    /// The trace of the first run of each outcome.
    private var traces: [OutcomeKind: TraceDocument] = [:]

    init(_ plan: RunPlan, count: Int, hasLines: Bool, output: TraceOutput) {
        self.plan = plan
        self.count = count
        self.hasLines = hasLines
        self.output = output
        width = String(count).count
        seedWidth = plan.seed.map { String($0 &+ UInt64(count - 1)).count } ?? 0
    }

    private var scenario: any Runnable { plan.scenario }

    /// Keeps the trace if it is the first with its outcome.
    mutating func add(_ trace: TraceDocument) {
        guard let kind = trace.outcome?.kind, traces[kind] == nil else { return }
        traces[kind] = trace
    }

    /// Counts the findings of an examined run.
    ///
    /// - Parameter number: the number of the run, counted from 0. The user sees it counted from 1.
    mutating func addFindings(of run: SupervisedRun, _ number: Int) {
        findings.add(output.reported(run, of: scenario), of: run.trace, number + 1)
        examined += 1
        let shown = Set(run.findings.compactMap(\.code.warning))
        for kind in scenario.expectation.warnings where shown.contains(kind) { promised[kind, default: 0] += 1 }
    }

    /// The exit code of all runs together.
    var code: ExitCode {
        if let signal { return .interrupted(by: signal) }
        return tally.kinds.contains { isUnexpected($0) } ? .finding : .expected
    }

    private func isUnexpected(_ kind: OutcomeKind) -> Bool {
        kind != .interrupted && !scenario.expectation.allows(kind, on: plan.header.runtime)
    }

    /// The run to repeat and to save: the first with an unexpected outcome, or else the first that neither completed
    /// nor was interrupted, or else the first. Its trace is nil if the runs were interrupted before it was traced.
    var example: (number: Int, trace: TraceDocument?)? {
        let severity = { (kind: OutcomeKind) in
            isUnexpected(kind) ? 2 : kind == .completed || kind == .interrupted ? 0 : 1
        }
        let kinds = tally.kinds.sorted { tally[$0]!.first < tally[$1]!.first }
        guard let greatest = kinds.map(severity).max(), let kind = kinds.first(where: { severity($0) == greatest })
        else { return nil }
        return (tally[kind]!.first, traces[kind])
    }

    // MARK: - Lines

    func writeLine(_ number: Int, _ trace: TraceDocument, to sink: inout ByteSink) {
        guard let outcome = trace.outcome else { return }
        let isExpected = !isUnexpected(outcome.kind)
        if output.format == .json {
            return sink.writeLine { json in
                json.member("run", number + 1)
                json.member("seed", trace.header.seed)
                json.member("outcome", outcome.kind.rawValue)
                json.member("expected", isExpected && outcome.kind != .interrupted)
                json.member("summary", outcome.summary)
                json.member("schedule", trace.header.schedule)
            }
        }
        let prefix = isExpected ? "" : "not expected: "
        let seed = trace.header.seed.map { "seed " + Self.padded(String($0), seedWidth, atEnd: false) + "  " } ?? ""
        sink.write("run " + Self.padded(String(number + 1), width, atEnd: false) + "  \(seed)")
        sink.write(Self.padded(outcome.kind.rawValue, Self.outcomeWidth, atEnd: true))
        sink.write("  \(prefix)\(outcome.summary.printable)")
        sink.endLine()
    }

    /// The number of characters to which the word for an outcome is padded.
    private static let outcomeWidth = 11

    private static func padded(_ text: String, _ width: Int, atEnd: Bool) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return atEnd ? text + blanks : blanks + text
    }

    // MARK: - The end

    func write(to sink: inout ByteSink) {
        if output.format == .json { return writeJSON(to: &sink) }
        if hasLines { sink.endLine() }
        let counts = tally.kinds.map { "\($0.rawValue) \(tally[$0]!.count)" }.joined(separator: ", ")
        let wasCutShort = signal != nil && tally[.interrupted] == nil
        let parts = [counts, wasCutShort ? "interrupted" : ""].filter { !$0.isEmpty }
        sink.write("\(tally.count) of \(count) runs: " + parts.joined(separator: "; "))
        sink.endLine()
        writeFirsts(to: &sink)
        if isUnrepeatable {
            sink.write("Each run had a process of its own: in one process, runs of this scenario differ.")
            sink.endLine()
        }
        if let command = replayCommand, let example {
            sink.write("Replay of run \(example.number + 1): \(command)")
            sink.endLine()
        }
        let isUnseen = scenario.expectation.findings.allSatisfy { tally[$0] == nil }
        if signal == nil && scenario.promisesFindableFailure && isUnseen {
            let command = "\(output.program) \(scenario.searchArguments(plan.header.rules))"
            let isWell = tally.kinds.allSatisfy { $0 == .completed }
            let missing = scenario.expectation.findings.map(\.rawValue).joined(separator: " or ")
            sink.write(
                isWell
                    ? "They went well this time. In another order one may not. Search: \(command)"
                    : "None ended in \(missing). To look for one that does: \(command)")
            sink.endLine()
        }
        let runs = examined < tally.count ? "the first \(examined) runs" : "\(examined) runs"
        for kind in scenario.expectation.warnings where examined > 0 {
            sink.write("Promised: warning \(kind.rawValue), seen in \(promised[kind] ?? 0) of \(runs)")
            sink.endLine()
        }
        output.write(findings, of: runs, scenario, to: &sink)
    }

    /// Writes the first run or seed of each outcome.
    private func writeFirsts(to sink: inout ByteSink) {
        let kinds = tally.kinds.filter { $0 != .interrupted }
        guard !kinds.isEmpty else { return }
        let firsts = kinds.map { kind in
            let first = tally[kind]!.first
            return "\(kind.rawValue) \(plan.seed.map { String($0 &+ UInt64(first)) } ?? String(first + 1))"
        }
        sink.write("First \(plan.seed == nil ? "run" : "seed") of each: " + firsts.joined(separator: ", "))
        sink.endLine()
    }

    /// The command that repeats the example. Nil: all runs completed, as expected, or no command repeats it.
    private var replayCommand: String? {
        guard let example, code != .expected || tally.kinds.contains(where: { $0 != .completed && $0 != .interrupted })
        else { return nil }
        if let seed = plan.seed {
            let arguments = scenario.runArguments(seed: seed &+ UInt64(example.number), plan.header.rules)
            return "\(output.program) \(arguments)"
        }
        return example.trace.flatMap { output.replayCommand($0, scenario) }
    }

    private func writeJSON(to sink: inout ByteSink) {
        sink.writeLine { json in
            json.member("runs", tally.count)
            json.object("outcomes") { json in
                for kind in tally.kinds { json.member(named: kind.rawValue, tally[kind]!.count) }
            }
            json.object("first") { json in
                for kind in tally.kinds {
                    let first = tally[kind]!.first
                    json.object(named: kind.rawValue) { json in
                        json.member("run", first + 1)
                        json.member("seed", plan.seed.map { $0 &+ UInt64(first) })
                    }
                }
            }
            if examined > 0, !scenario.expectation.warnings.isEmpty {
                json.member("examined", examined)
                json.objects("warnings", scenario.expectation.warnings) { kind, json in
                    json.member("warning", kind.rawValue)
                    json.member("runs", promised[kind] ?? 0)
                }
            }
            findings.writeJSON(to: &json) { output.replayCommand($0, scenario) }
        }
    }
}

extension RunPlan {
    /// The seed of a controlled run.
    fileprivate var seed: UInt64? { if case .controlled(let seed) = mode { seed } else { nil } }
}
