import Authoring
import Supervision
import Text
import Trace

/// Many runs of one scenario: a line each, then the number of runs per outcome, and how to repeat the most severe one.
struct Repetition {
    let count: Int
    let output: TraceOutput
    private let width: Int
    private var seedWidth = 0
    private var tally: [OutcomeKind: Int] = [:]
    private var findings = FindingTally()
    private var exitCode = ExitCode.expected
    /// The first of the most severe runs.
    private var example: (number: Int, trace: TraceDocument, rank: Int)?

    init(count: Int, output: TraceOutput) {
        self.count = count
        self.output = output
        width = String(count).count
    }

    mutating func run(_ plan: RunPlan) throws -> ExitCode {
        var plan = plan
        var done = 0
        if case .controlled(let seed) = plan.mode { seedWidth = String(seed &+ UInt64(count - 1)).count }
        for number in 1...count {
            if case .controlled(let seed) = plan.mode, number > 1 { plan.mode = .controlled(seed: seed &+ 1) }
            let run = try output.supervise(plan, saves: false, shows: false)
            let trace = run.trace
            let code = TraceOutput.code(trace, plan.scenario)
            note(trace, number, code)
            // The outcome is counted in any case.
            let others = output.told(run).filter { $0.code.outcome != trace.outcome?.kind }
            findings.add(others, of: trace, number)
            done = number
            try StandardOutput.write { write(number, trace, code, to: &$0) }
            if code.isInterruption { break }
        }
        try StandardOutput.write { writeEnd(done, plan.scenario, to: &$0) }
        if let trace = example?.trace { try output.save(trace) }
        return exitCode
    }

    private mutating func note(_ trace: TraceDocument, _ number: Int, _ code: ExitCode) {
        guard let kind = trace.outcome?.kind else { return }
        tally[kind, default: 0] += 1
        if code != .expected { exitCode = code }
        let rank = code == .finding ? 2 : kind == .completed || kind == .interrupted ? 0 : 1
        if rank > example?.rank ?? -1 { example = (number, trace, rank) }
    }

    // MARK: - Lines

    private func write(_ number: Int, _ trace: TraceDocument, _ code: ExitCode, to sink: inout ByteSink) {
        guard let outcome = trace.outcome else { return }
        switch output.format {
        case .none: return
        case .json:
            sink.write("{\"run\":\(number)")
            if let seed = trace.header.seed { sink.write(",\"seed\":\(seed)") }
            sink.write(",\"outcome\":\"\(outcome.kind.rawValue)\",\"expected\":\(code == .expected),\"summary\":")
            sink.write(json: outcome.summary)
            if let schedule = trace.header.schedule {
                sink.write(",\"schedule\":")
                sink.write(json: schedule)
            }
            sink.write("}")
        case .text, .lanes:
            let mark = code == .finding ? "not expected: " : ""
            let seed = trace.header.seed.map { "seed " + Self.padded(String($0), seedWidth, atEnd: false) + "  " } ?? ""
            sink.write("run " + Self.padded(String(number), width, atEnd: false) + "  \(seed)")
            sink.write(Self.padded(outcome.kind.rawValue, 11, atEnd: true) + "  \(mark)\(outcome.summary.printable)")
        }
        sink.endLine()
    }

    private func writeEnd(_ done: Int, _ scenario: any Runnable, to sink: inout ByteSink) {
        let kinds = OutcomeKind.allCases.compactMap { kind in tally[kind].map { (kind.rawValue, $0) } }
        if output.format == .json {
            let outcomes = kinds.map { "\"\($0)\":\($1)" }.joined(separator: ",")
            sink.write("{\"runs\":\(done),\"outcomes\":{\(outcomes)},\"findings\":")
            findings.writeJSON(to: &sink) { output.replayCommand($0, scenario) }
            sink.write("}")
            sink.endLine()
            return
        }
        if output.format != .none { sink.endLine() }
        sink.write("\(done) of \(count) runs: " + kinds.map { "\($0) \($1)" }.joined(separator: ", "))
        sink.endLine()
        if let example, example.rank > 0, let command = output.replayCommand(example.trace, scenario) {
            sink.write("Replay of run \(example.number): \(command)")
            sink.endLine()
        }
        output.write(findings, of: done, scenario, to: &sink)
    }

    private static func padded(_ text: String, _ width: Int, atEnd: Bool) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return atEnd ? text + blanks : blanks + text
    }
}
