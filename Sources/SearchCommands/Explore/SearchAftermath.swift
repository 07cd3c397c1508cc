import Authoring
import Console
import Exploration
import Supervision
import Trace

/// The work between a search and its report, for `explore` and `work --merge`: random executions that show what a
/// search cannot see, searches that explain the first finding (with lower parameters, and under sequential consistency)
/// and, for a table of outcomes, searches under the other memory models.
struct SearchAftermath {
    let plan: SearchPlan
    /// The program before it was put under a memory model.
    let original: any Runnable
    /// The name of the tool, as the user typed it.
    let program: String
    /// Whether a parameter can be set on the command line.
    let canSet: (String) -> Bool
    /// The program with other parameters. Nil: it cannot have them.
    let configured: ([(name: String, value: String)]) -> (any Runnable)?

    func report(_ result: SearchResult, _ findings: [ExplainedFinding]) throws -> SearchReport {
        var (result, findings) = (result, findings)
        let models = try unlessInterrupted {
            plan.goal.countsTerminals ? try OutcomeModels(original, plan, result) : nil
        }
        let examination = try examineRandom(&result, &findings)
        var report = SearchReport(
            assessment: SearchAssessment(result, plan, examination), findings: findings,
            names: try MemoryNames(result.terminals, plan), program: program)
        report.models = models
        report.smaller = try unlessInterrupted { try smaller(report) }
        report.sequential = try unlessInterrupted { try sequential(report) }
        return report
    }

    /// Does the work, unless a signal has asked the command to end: then it returns nil, and the report shows what is
    /// known so far.
    private func unlessInterrupted<Value>(_ work: () throws -> Value?) throws -> Value? {
        if EndingWatch.signal != nil { return nil }
        do { return try work() } catch is Interrupted { return nil }
    }

    /// Looks for lower parameters with which the program still has the first of the findings.
    private func smaller(_ report: SearchReport) throws -> ParameterShrinker.Smaller? {
        guard !plan.goal.countsTerminals, report.result.stop != .interrupted, report.result.discrepancy == nil,
            let finding = report.shownFindings.first
        else { return nil }
        return try ParameterShrinker.shrink(finding, plan, canLower: canSet, configured: configured)
    }

    /// Searches under sequential consistency for the first of the findings.
    private func sequential(_ report: SearchReport) throws -> SequentialSearch.Answer? {
        guard plan.rules.followedModel != .sc, !plan.goal.countsTerminals, report.result.stop != .interrupted,
            report.result.discrepancy == nil, let finding = report.shownFindings.first, finding.isConfirmed
        else { return nil }
        return try SequentialSearch.answer(finding.finding, plan)
    }

    /// Examines random executions, and adds to the result and the findings what the search itself cannot see.
    private func examineRandom(
        _ result: inout SearchResult, _ findings: inout [ExplainedFinding]
    ) throws -> RandomExamination {
        guard result.stop != .interrupted, result.discrepancy == nil else { return RandomExamination() }
        let assessment = SearchAssessment(result, plan)
        let isFound = !plan.goal.keepsGoing && assessment.conclusion == .finding
        // An unexpected finding of the search is shown with a short schedule. A finding of a random execution, whose
        // schedule is longer, is then counted, but not shown.
        let isUnexpected = isFound && assessment.code(findings) == .finding
        let orders = result.isProof ? result.counts.executions : nil
        let seeksLockOrder = plan.scenario.judgesLockOrder && !isFound
        let examination = try RandomExamination(plan, orders: orders, seeksLockOrder: seeksLockOrder)
        let promises = examination.promises
        if let lockOrder = promises.lockOrder {
            result.add(lockOrder.finding)
            findings.append(lockOrder)
        }
        if let surprise = promises.surprise, !result.findings.contains(where: { $0.kind == surprise.finding.kind }) {
            result.add(surprise.finding)
            if !isUnexpected { findings.append(surprise) }
        }
        if let signal = promises.interruption { result.interrupt(by: signal) }
        return examination
    }
}
