import Execution
import Exploration
import Glibc
import Machine
import Trace

/// Searches a program's executions in this process, on the calling thread: for unit tests, in which breakpoints and
/// `print` must work. A crash of the program is a crash of this process, and a thread that loops forever without a step
/// ends the process (`StepWatchdog`). `SearchSupervisor` survives both.
///
/// Any number of searches can run at once, on different threads.
package struct LocalSearch {
    private let plan: SearchPlan
    /// The units of the search. A unit is a number of consecutive executions of one strategy.
    private let agenda: Agenda
    /// When the time for the search is over.
    private let deadline: Deadline
    /// The earlier deadline of a search after which another stage may be necessary: see `SearchPlan.isShort`.
    private let half: Deadline
    /// When the time is over for the search and for shrinking and repeating its findings.
    private let end: Deadline
    private let log: ChoiceMemory
    private var result = SearchResult()
    private let foreign = ForeignUses.Watch()

    /// The limit of steps for each method of shrinking a schedule.
    private static let patience = 300_000

    /// - Parameter log: receives the choices of all executions.
    /// - Returns: the result, and the findings in the order in which they were found, each with its trace.
    package static func run(
        _ plan: SearchPlan, log: ChoiceMemory
    ) throws(SupervisionFailed) -> (result: SearchResult, findings: [ExplainedFinding]) {
        try StagedSearch.run(plan) { plan throws(SupervisionFailed) in try runStage(plan, log: log) }
    }

    private static func runStage(
        _ plan: SearchPlan, log: ChoiceMemory
    ) throws(SupervisionFailed) -> (SearchResult, [ExplainedFinding]) {
        var search = LocalSearch(plan, log)
        search.run()
        var findings: [ExplainedFinding] = []
        let unexplained = search.result.findings.filter { !plan.explained.contains($0.identity) }
        for finding in unexplained {
            // Each finding is shrunk in its share of three quarters of the time. The rest is for repeating findings.
            let share = search.end.left / 4 * 3 / UInt64(unexplained.count - findings.count)
            findings.append(try search.explain(finding, until: search.end.at(most: share)))
        }
        search.lookForForeignThreads()
        return (search.result, findings)
    }

    private init(_ plan: SearchPlan, _ log: ChoiceMemory) {
        self.plan = plan
        self.log = log
        agenda = plan.agenda
        end = plan.end ?? Deadline(after: plan.time)
        deadline = end.at(most: min(plan.time, end.leftForSearch))
        half = deadline.at(most: deadline.left / 2)
        result.partWithoutProver = plan.partWithoutProver
    }

    // MARK: - The search

    private mutating func run() {
        result.discrepancy = RepetitionCheck.discrepancy(of: makeSubject(), seed: plan.settings.seed) {
            deadline.isOver
        }
        lookForForeignThreads()
        var runner = UnitRunner(plan, agenda, makeSubject)
        var finished: Set<StrategyChoice> = []
        var index = 0
        while !result.isOver, agenda.hasPortfolio || agenda.hasProver(besides: finished),
            let unit = agenda.unit(index)
        {
            let prover = agenda.prover(of: index)
            // The units of a prover that has ended are skipped.
            if prover.map(finished.contains) != true {
                let isShort = plan.isShort(seeing: result.counts.traits)
                let report = runner.run(unit, index, isStopped: { (isShort ? half : deadline).isOver })
                result.add(report, of: unit.strategy, plan.goal)
                lookForForeignThreads()
                if let prover, report.end != .done { finished.insert(prover) }
                if report.end == .stopped {
                    result.stop = .time
                    return
                }
                // Every prover and the portfolio have had a unit, and no execution ended.
                if plan.goal.givesUpEndless, index + 1 >= agenda.round, result.wasCutOff {
                    result.stop = .endless
                    return
                }
            }
            index += 1
        }
        if !result.isOver { result.stop = .executions }
    }

    /// If a thread that belongs to no execution has used an execution's objects, notes that: all other results are then
    /// meaningless.
    private mutating func lookForForeignThreads() {
        if let use = foreign.use { result.discrepancy = .foreignThread(use.sentence) }
    }

    private func makeSubject() -> any Subject { plan.scenario.makeSubject(plan.rules, log: log) }

    // MARK: - Findings

    private func explain(
        _ finding: Counterexample, until shareEnd: Deadline
    ) throws(SupervisionFailed) -> ExplainedFinding {
        let begin = Deadline.now
        let time = ShrinkingTime(.thread, of: plan.time)
        let shrunk = Shrinker.shrink(
            finding.schedule, to: finding.identity, on: RaceSubject(makeSubject()),
            patience: ShrinkingPatience(steps: Self.patience) { shareEnd.isOver || time.isOver($0) })
        let wasCut = shrunk?.endedByTime == true || shareEnd.isOver && shrunk?.minimality != .steps
        var replay = RunPlan(plan.scenario, .replay(shrunk?.schedule ?? finding.schedule), rules: plan.rules)
        replay.isExamined = true
        replay.explainer = try plan.makeExplainer()
        let shrinking = wasCut ? Deadline.now - begin : nil
        if plan.rules.spuriousWakeups > 0 {
            // A finding that needs no spurious wake-up is shown under rules without them.
            var calm = replay
            calm.rules.spuriousWakeups = 0
            let run = try DirectRun(calm, log: log).finish()
            if run.trace.outcome?.kind == finding.kind, run.trace.events.last?.kind != .runDiverged {
                var finding = finding
                finding.rules = calm.rules
                return ExplainedFinding(
                    finding: finding, shrunk: shrunk, cut: shareEnd.isOver ? .time : nil, run: run, shrinking: shrinking
                )
            }
        }
        return ExplainedFinding(
            finding: finding, shrunk: shrunk, cut: shareEnd.isOver ? .time : nil,
            run: try DirectRun(replay, log: log).finish(), shrinking: shrinking)
    }
}
