import Console
import Diagnosis
import Exploration
import Machine
import Reports
import Supervision
import Trace

/// The report on a search as one line of JSON, for scripts.
extension SearchReport {
    func writeJSON(to sink: inout ByteSink) {
        let counts = result.counts
        sink.writeLine { json in
            json.member("scenario", plan.scenario.name)
            json.member("strategy", plan.strategy?.rawValue ?? "auto")
            json.member("seed", plan.settings.seed)
            json.member("conclusion", assessment.conclusion.rawValue)
            json.member("expected", assessment.code(findings) == .expected)
            json.member("executions", counts.executions)
            json.member("steps", counts.steps)
            json.member("longest", counts.longest)
            json.member("ended", counts.ended)
            json.member("cutOff", counts.cutOff)
            json.member("maximumSteps", result.stepLimit)
            json.member("redundant", counts.redundant)
            if counts.states > 0 {
                json.member("states", counts.states)
                json.member("moves", counts.moves)
                json.member("memory", counts.memory)
            }
            if let chance = result.chanceOfMissed {
                json.member("hashBits", 64)
                json.member("chanceOfMissed", chance)
            }
            json.member("total", result.total)
            json.member("prover", result.prover?.rawValue)
            if result.isProof { json.object("premises") { result.premises(plan).write(to: &$0) } }
            json.objects("wider", result.wider) { search, json in
                json.member("allows", search.freedom.rawValue)
                json.member("executions", search.result.counts.executions)
                json.member("total", search.result.total)
                json.member("prover", search.result.prover?.rawValue)
                json.array("gaps", search.result.gaps.map(\.kind.rawValue))
            }
            if assessment.endedAtExpected { json.member("endedAtExpected", true) }
            json.member("stop", result.stop?.rawValue)
            json.member("discrepancy", result.discrepancy.map { "\($0)." })
            json.array("gaps", result.gaps.map(\.kind.rawValue))
            json.array("missing", assessment.missing.map(\.rawValue))
            json.array("missingStates", assessment.missingStates)
            json.array("missingWarnings", assessment.missingWarnings.map(\.rawValue))
            json.objects("findings", findings) { write($0, to: &$1) }
            if plan.goal.countsTerminals {
                json.objects("outcomes", result.terminals.rows) { write($0, to: &$1) }
                if let models { json.objects("outcomesOfOtherModels", models.others) { write($0.row, to: &$1) } }
            }
            json.object("random") { writeRandom(to: &$0) }
            if let smaller { json.object("smaller") { write(smaller, to: &$0) } }
            if let fix { json.object("suggestion") { fix.writeJSON(to: &$0) } }
        }
        sink.flush()
    }

    private func write(_ smaller: ParameterShrinker.Smaller, to json: inout JSONObject) {
        json.object("parameters") { json in
            for (name, value) in smaller.changed { json.member(named: name, value) }
        }
        json.member("steps", smaller.finding.shrunk?.cost.steps)
        json.member("preemptions", smaller.finding.shrunk?.cost.preemptions)
        json.member("schedule", smaller.finding.schedule.description)
        json.member("replay", replayCommand(smaller.finding, of: smaller.scenario))
    }

    private func writeRandom(to json: inout JSONObject) {
        json.member("executions", examination.count)
        json.member("endedWell", examination.goodEnds)
        json.objects("promised", assessment.promised) { promised, json in
            json.member("warning", promised.warning.kind.rawValue)
            json.member("runs", promised.warning.count)
            json.member("seed", promised.seed)
        }
        examination.tally.writeJSON(to: &json) { replayCommand($0) }
    }

    private func write(_ finding: ExplainedFinding, to json: inout JSONObject) {
        let found = finding.finding
        json.member("outcome", found.kind.rawValue)
        json.member("confirmed", finding.isConfirmed)
        json.member("expected", plan.scenario.expectation.allowed.contains(found.kind))
        json.member("summary", finding.trace.outcome?.summary ?? "")
        json.array("details", finding.trace.outcome?.details ?? [])
        if let deciding = finding.deciding {
            let account = AccountRow.all(of: deciding, in: finding.trace, context: finding.context)
            json.objects("account", account) { $0.write(to: &$1) }
        }
        json.member("execution", found.number)
        json.member("strategy", found.strategy.rawValue)
        json.member("preemptions", finding.shrunk?.cost.preemptions)
        json.member("steps", finding.shrunk?.cost.steps)
        json.member("minimal", finding.shrunk?.minimality.rawValue)
        json.member("schedule", (finding.shrunk?.schedule ?? found.schedule).description)
        json.member("replay", replayCommand(finding))
        if found == shownFindings.first?.finding, let sequential, sequential != .unknown {
            json.member("needsWeakMemory", sequential == .needsWeakMemory)
        }
    }

    private func write(_ row: TerminalTable.Row, to json: inout JSONObject) {
        json.member("outcome", row.state.kind.rawValue)
        json.member("count", row.count)
        json.object("memory") { json in
            for word in names.values(row.state) { json.member(named: word.name, word.value) }
        }
        if let models {
            json.object("models") { json in
                for (model, isAllowed) in zip(models.models, models.allow(row.state)) {
                    if let isAllowed { json.member(named: model.rawValue, isAllowed) }
                }
            }
        }
        json.member("schedule", row.schedule.description)
    }
}
