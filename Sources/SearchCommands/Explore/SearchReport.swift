import Authoring
import Console
import Exploration
import Machine
import Reports
import Supervision
import Text
import Trace

/// The report on a search as text: the lanes of its findings or the table of outcomes, then the conclusion.
struct SearchReport {
    let assessment: SearchAssessment
    let findings: [ExplainedFinding]
    let names: MemoryNames
    /// The program's name, as the user typed it.
    let program: String
    /// Which memory models allow each outcome, if outcomes are counted and the models differ.
    var models: OutcomeModels?
    /// A version of the program with lower parameters in which the first finding needs fewer steps. Nil: none was
    /// found.
    var smaller: ParameterShrinker.Smaller?
    /// The result of `--suggest`. Nil: it was not given, or there was nothing to look for.
    var fix: FixReport?
    /// Whether the first finding needs a weak memory model. Nil: the search was under sc, or the question was not
    /// asked.
    var sequential: SequentialSearch.Answer?

    var result: SearchResult { assessment.result }
    var plan: SearchPlan { assessment.plan }
    var examination: RandomExamination { assessment.examination }

    func write(_ options: ReportOptions, to sink: inout ByteSink) {
        if plan.goal.countsTerminals {
            TerminalReport(result.terminals, names, models).write(to: &sink)
            sink.endLine()
        } else {
            for finding in shownFindings {
                write(finding, options, to: &sink)
                sink.endLine()
            }
        }
        conclusion.write(options, to: &sink)
        examination.tally.without(lockOrdersOf: deadlocks).write(options, program: program, to: &sink) {
            "Seen in \($0.count) of \(examination.goodEnds) random executions that completed."
        } replay: {
            replayCommand($0)
        }
        fix?.write(options, to: &sink)
        sink.flush()
    }

    /// The names of the locks of each deadlock that is shown.
    private var deadlocks: [Set<String>] {
        guard !plan.goal.countsTerminals else { return [] }
        return shownFindings.flatMap { explained in
            [explained.deciding].compactMap(\.self).filter { $0.code == .deadlock }.map { deadlock in
                Set(deadlock.objects.compactMap { explained.trace.object($0)?.name })
            }
        }
    }

    // MARK: - A finding

    /// The findings without the lesser ones (`SearchGoal.lesser`). If there are only lesser ones, or if the search
    /// continued after the first finding: all.
    var shownFindings: [ExplainedFinding] {
        let severe = findings.filter { !plan.goal.lesser.contains($0.finding.kind) }
        return plan.goal.keepsGoing || severe.isEmpty ? findings : severe
    }

    /// A sentence on findings that are not shown.
    private var unshown: [String] {
        let shown = Set(shownFindings.map(\.finding.kind))
        let kinds = result.findings.map(\.kind).filter { !shown.contains($0) }
        guard !plan.goal.countsTerminals, let kind = kinds.first else { return [] }
        return ["Also found: \(kind.rawValue). '--keep-going' shows every finding."]
    }

    private func write(_ finding: ExplainedFinding, _ options: ReportOptions, to sink: inout ByteSink) {
        ReportFormat.lanes.write(finding.trace, completed(options, finding), to: &sink)
    }

    /// Writes a page that shows the first of the findings step by step.
    func save(_ page: PageDestination) throws(Complaint) {
        guard let finding = shownFindings.first else {
            return StandardError.write("\(program): \(page.path.printable) is not written: there is no finding\n")
        }
        try page.save(finding.trace, of: plan.scenario, completed(ReportOptions(), finding))
    }

    /// What a report of the finding says in addition to its trace.
    private func completed(_ options: ReportOptions, _ finding: ExplainedFinding) -> ReportOptions {
        var options = options
        options.showsAccount = options.foldsCycles
        options.context = finding.context
        options.expectation = plan.scenario.comment(on: finding.finding.kind, on: .controlled)
        options.remarks = finding.remarks
        if let remark = plan.scenario.remark(onUnseen: finding.finding.kind) { options.remarks.append(remark) }
        if finding.finding == shownFindings.first?.finding, let remark = sequential?.remark(on: finding.finding.kind) {
            options.remarks.append(remark)
        }
        options.setReplay(replayCommand(finding), orElse: "'--save DIR' saves the run; 'replay' repeats it from there")
        options.source = SourceLines(plan.scenario, .ownRun).text
        // Only the deciding finding is explained, with its source lines and its code.
        options.findings = [finding.deciding].compactMap(\.self)
        return options
    }

    /// - Parameter scenario: the program with the finding, if it is not the plan's.
    func replayCommand(_ finding: ExplainedFinding, of scenario: (any Runnable)? = nil) -> String {
        let schedule = finding.schedule
        let scenario = scenario ?? plan.scenario
        // An empty schedule: the finding happens before the first choice, so any run shows it.
        if schedule.choices.isEmpty { return "\(program) \(scenario.stepwiseArguments)" }
        var header = finding.trace.header
        header.schedule = schedule.description
        header.seed = nil
        return "\(program) \(scenario.replayArguments(header))"
    }

    func replayCommand(_ trace: TraceDocument) -> String { "\(program) \(plan.scenario.replayArguments(trace.header))" }

    // MARK: - The whole

    private var conclusion: Statement {
        var statement = firstSentence
        statement.paragraphs += assessment.gaps + assessment.premises + distinctions + assessment.frequencies
        if let comment = assessment.comment { statement.paragraphs.append(comment) }
        statement.paragraphs += unshown + assessment.openQuestions
        if let smaller {
            statement.paragraphs.append(sentence(smaller))
            let command = replayCommand(smaller.finding, of: smaller.scenario)
            statement.commands.append(Statement.Command("Smaller", command))
        }
        return statement
    }

    /// A sentence on a smaller version of the program, in which the first finding needs fewer steps.
    private func sentence(_ smaller: ParameterShrinker.Smaller) -> String {
        let values = smaller.changed.map { "\($0.name) = \($0.value)" }.joined(separator: ", ")
        let steps = [smaller.finding, shownFindings.first].map { $0?.shrunk?.cost.steps ?? 0 }
        return "Also with \(values): \(SearchAssessment.count(steps[0], "step")) instead of \(steps[1])."
    }

    /// Why a search by states distinguished threads that run the same code, which multiplies the states.
    private var distinctions: [String] {
        let settings = plan.settings.states
        guard plan.strategy == .states || result.bounded.contains(.states), settings.exchanges else { return [] }
        let subject = plan.scenario.makeSubject(plan.rules, log: nil)
        return (subject as? any StatefulSubject)?.distinctions ?? []
    }

    /// The first sentence of the conclusion.
    private var firstSentence: Statement {
        let isExpected = assessment.code(findings) == .expected
        let kind = (result.prover ?? plan.strategy ?? .dpor).kindOfExecution
        switch assessment.conclusion {
        case .finding:
            let count = SearchAssessment.count(result.findings.count, "finding")
            let all = result.total == 1 ? "The only \(kind) was" : "All \(result.total ?? 0) \(kind)s were"
            let text =
                result.isProof
                ? "\(count). \(all) tried\(assessment.scope): \(effort)." : "\(count) in \(effort)\(reason)."
            return Statement("search", text, isGood: isExpected)
        case .proved:
            let all = assessment.proof
            let how = result.prover == .states ? "All were visited: \(walk)" : "All were run: \(effort)"
            return Statement("proved", "\(all). \(how).", isGood: isExpected)
        case .unproved:
            let head = result.findings.isEmpty ? "no finding" : "no other finding"
            let text = "in \(effort): not a proof\(reason).\(estimate)"
            var statement = Statement(head, text, isGood: isExpected)
            statement.isDoubtful = true
            return statement
        case .undecided:
            var statement = Statement(
                "undecided", assessment.nothingSeen + (assessment.namesTime ? "." : "\(reason)."), isGood: false)
            statement.isDoubtful = true
            return statement
        case .interrupted:
            return Statement("interrupted", "no finding in \(effort) so far.\(estimate)", isGood: false)
        case .unrepeatable, .uncontrollable:
            let why = result.discrepancy.map { "\($0). \($0.advice)" } ?? ""
            return Statement(result.discrepancy?.heading ?? "", why, isGood: false)
        }
    }

    /// Why the search ended.
    private var reason: String {
        switch result.stop {
        case .time: "; the time limit was reached"
        case .memory: "; the limit of memory was reached"
        case .fatalEnds: "; the program ended its process too often"
        case .interrupted: "; it was interrupted"
        case .executions, .endless, nil: ""
        }
    }

    /// How much was searched.
    private var effort: String {
        var counts = result.counts
        // A proof counts the executions under the plan's own rules; other results include searches under wider rules.
        if !result.isProof { for search in result.wider { counts += search.result.counts } }
        if counts.executions == 0 && counts.states > 0 { return visits }
        return
            "\(SearchAssessment.count(counts.executions, "execution")), \(SearchAssessment.count(counts.steps, "step"))"
            + ", the longest execution \(counts.longest)"
    }

    /// The work of a search by states.
    private var visits: String {
        // Several searches may visit the same state, and each counts it.
        let noun = (result.swarm?.searches ?? 1) > 1 ? "visit" : "state"
        return "\(SearchAssessment.count(result.counts.states, noun))\(noun == "visit" ? " of states" : ""), \(walk)"
    }

    /// The work of a search by states, without their number.
    private var walk: String {
        let counts = result.counts
        let memory = ReadableBytes.text(Int64(counts.memory))
        return "\(SearchAssessment.count(counts.moves, "move")), \(memory) of memory\(share)"
    }

    /// The memory of one state. It is meaningless for few states, because empty tables have a size, too.
    private var share: String {
        let counts = result.counts
        return counts.states < 10_000 || (result.swarm?.searches ?? 1) > 1
            ? "" : ", \(counts.memory / counts.states) bytes a state"
    }

    /// How many further random executions would be new, estimated from a sample.
    private var estimate: String {
        let sample = result.sample
        // A smaller sample says too little.
        guard sample.executions >= 100 else { return "" }
        let chance = Int((sample.chanceOfNew * 100).rounded())
        if chance >= 50 {
            let most = chance >= 90 ? "Almost every random execution is" : "\(chance)% of random executions are"
            return " \(most) still new: far from everything was tried. Try smaller parameters."
        }
        return " Of random executions, about \(chance)% are still new."
    }
}

/// A small probability in words.
enum ChanceText {
    /// The smallest power of ten that is not less than the probability, as in "1 in 10^6".
    package static func text(_ chance: Double) -> String {
        var exponent = 0
        var bound = 1.0
        while chance * bound * 10 <= 1 && exponent < most { (bound, exponent) = (bound * 10, exponent + 1) }
        return "1 in 10^\(exponent)"
    }

    /// The greatest exponent.
    private static let most = 18
}
