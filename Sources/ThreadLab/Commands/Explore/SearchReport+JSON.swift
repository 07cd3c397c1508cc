import Exploration
import Machine
import Reports
import Supervision
import Trace

/// The report for scripts: one line of JSON.
extension SearchReport {
    func writeJSON(to sink: inout ByteSink) {
        let counts = result.counts
        sink.write("{\"scenario\":")
        sink.write(json: plan.scenario.name)
        sink.write(",\"strategy\":\"\(plan.strategy?.rawValue ?? "auto")\",\"seed\":\(plan.settings.seed)")
        sink.write(",\"conclusion\":\"\(assessment.conclusion.rawValue)\"")
        sink.write(",\"expected\":\(assessment.code(findings) == .expected)")
        sink.write(",\"executions\":\(counts.executions),\"steps\":\(counts.steps),\"longest\":\(counts.longest)")
        sink.write(",\"cutOff\":\(counts.cutOff),\"redundant\":\(counts.redundant)")
        if counts.states > 0 {
            sink.write(",\"states\":\(counts.states),\"moves\":\(counts.moves),\"memory\":\(counts.memory)")
        }
        if let chance = result.chanceOfMissed { sink.write(",\"hashBits\":64,\"chanceOfMissed\":\(chance)") }
        if let total = result.total { sink.write(",\"total\":\(total)") }
        if let prover = result.prover { sink.write(",\"prover\":\"\(prover.rawValue)\"") }
        if assessment.endedAtExpected { sink.write(",\"endedAtExpected\":true") }
        if let stop = result.stop { sink.write(",\"stop\":\"\(stop.rawValue)\"") }
        if let discrepancy = result.discrepancy {
            sink.write(",\"discrepancy\":")
            sink.write(json: "\(discrepancy).")
        }
        sink.write(member: "gaps", result.gaps) { $1.write(json: $0.kind.rawValue) }
        sink.write(member: "missing", assessment.missing.map(\.rawValue)) { $1.write(json: $0) }
        sink.write(member: "missingStates", assessment.missingStates) { $1.write(json: $0) }
        sink.write(member: "missingWarnings", assessment.missingWarnings.map(\.rawValue)) { $1.write(json: $0) }
        sink.write(member: "findings", findings) { write($0, to: &$1) }
        if plan.goal.countsTerminals { sink.write(member: "outcomes", result.terminals.rows) { write($0, to: &$1) } }
        sink.write(",\"random\":{\"executions\":\(look.count),\"endedWell\":\(look.goodEnds)")
        sink.write(member: "promised", assessment.promised) { promised, sink in
            let warning = promised.warning
            sink.write("{\"warning\":\"\(warning.kind.rawValue)\",\"runs\":\(warning.count)")
            sink.write(",\"seed\":\(promised.seed)}")
        }
        sink.write(",\"findings\":")
        look.tally.writeJSON(to: &sink) { replayCommand($0) }
        sink.write("}}")
        sink.endLine()
        sink.flush()
    }

    private func write(_ finding: ExplainedFinding, to sink: inout ByteSink) {
        let found = finding.finding
        sink.write("{\"outcome\":\"\(found.kind.rawValue)\",\"confirmed\":\(finding.isConfirmed)")
        sink.write(",\"expected\":\(plan.scenario.expectation.allowed.contains(found.kind)),\"summary\":")
        sink.write(json: finding.trace.outcome?.summary ?? "")
        sink.write(member: "details", finding.trace.outcome?.details ?? []) { $1.write(json: $0) }
        sink.write(",\"execution\":\(found.number),\"strategy\":\"\(found.strategy.rawValue)\"")
        if let shrunk = finding.shrunk {
            sink.write(",\"preemptions\":\(shrunk.cost.preemptions),\"steps\":\(shrunk.cost.steps)")
            sink.write(",\"minimal\":\"\(shrunk.minimality.rawValue)\"")
        }
        sink.write(",\"schedule\":")
        sink.write(json: (finding.shrunk?.schedule ?? found.schedule).description)
        sink.write(",\"replay\":")
        sink.write(json: replayCommand(finding))
        sink.write("}")
    }

    private func write(_ row: TerminalTable.Row, to sink: inout ByteSink) {
        sink.write("{\"outcome\":\"\(row.state.kind.rawValue)\",\"count\":\(row.count),\"memory\":{")
        for (index, word) in names.values(row.state).enumerated() {
            sink.write(index > 0 ? "," : "")
            sink.write(json: word.name)
            sink.write(":\(word.value)")
        }
        sink.write("},\"schedule\":")
        sink.write(json: row.schedule.description)
        sink.write("}")
    }
}
