import Supervision
import Trace

/// Many runs of one scenario: a line each, then how often each outcome came.
struct Repetition {
    let count: Int
    let output: TraceOutput

    func run(_ plan: inout RunPlan) throws -> ExitCode {
        var tally: [OutcomeKind: Int] = [:]
        var worst = ExitCode.expected
        for index in 0..<count {
            if case .controlled(let seed) = plan.mode, index > 0 { plan.mode = .controlled(seed: seed &+ 1) }
            let trace = try output.supervise(plan)
            let kind = trace.outcome?.kind ?? .interrupted
            tally[kind, default: 0] += 1
            let code = TraceOutput.code(trace, plan.scenario)
            try StandardOutput.write(line(index + 1, plan, trace))
            if code == .interrupted { return code }
            if code == .finding { worst = .finding }
        }
        let counts = OutcomeKind.allCases.compactMap { kind in tally[kind].map { "\(kind.rawValue) \($0)" } }
        try StandardOutput.write("\n\(count) runs: \(counts.joined(separator: ", "))\n")
        return worst
    }

    private func line(_ number: Int, _ plan: RunPlan, _ trace: TraceDocument) -> String {
        let outcome = trace.outcome.map { "\($0.kind.rawValue): \($0.summary)" } ?? "interrupted"
        let seed = trace.header.seed.map { "  seed \($0)" } ?? ""
        return "run \(number)\(seed)  \(outcome)\n"
    }
}
