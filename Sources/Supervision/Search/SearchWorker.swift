import Execution
import Exploration
import Machine

/// What a child process of a search does: it runs units of the agenda, and reports them to `SearchSupervisor`.
struct SearchWorker {
    /// The work that one process has.
    struct Duty: Equatable {
        /// Whether it first checks that executions can be repeated. Only one process does.
        var isFirst = false
        /// Whether it runs the provers' units. Only one process does, because a prover learns from unit to unit; in a
        /// search that is divided, every process does for its parts.
        var isProver: Bool
        /// Whether it runs the units of random strategies.
        var isSearcher: Bool
        /// If it replaces a process that the program has ended: the unit in which that happened, where it resumes.
        var resumesAt: Int?
    }

    let plan: SearchPlan
    let agenda: Agenda
    let duty: Duty
    let board: SearchBoard
    let slot: UnsafeMutablePointer<SearchBoard.Slot>
    let choices: SharedChoices
    let mailbox: Mailbox
    /// The schedules after which the program has ended its process or hung, and which executions avoid.
    let ends: [FatalEnd]
    private let foreign = ForeignUses.Watch()

    init(
        plan: SearchPlan, agenda: Agenda, duty: Duty, board: SearchBoard, slot: UnsafeMutablePointer<SearchBoard.Slot>,
        choices: SharedChoices, mailbox: Mailbox, ends: [FatalEnd]
    ) {
        self.plan = plan
        self.agenda = agenda
        self.duty = duty
        self.board = board
        self.slot = slot
        self.choices = choices
        self.mailbox = mailbox
        self.ends = ends
    }

    func run() {
        if checksRepetition { checkRepetition() }
        defer { tellForeignThread() }
        if !agenda.parts.isEmpty {
            runParts()
        } else if duty.isProver {
            runProver()
        } else {
            runUnits()
        }
    }

    /// Whether it first checks that the program can be searched.
    private var checksRepetition: Bool { duty.isFirst && duty.resumesAt == nil && plan.scenario.runsOwnCode }

    private func checkRepetition() {
        let subject = plan.scenario.makeSubject(plan.rules, log: choices.log)
        let discrepancy = RepetitionCheck.discrepancy(of: subject, seed: plan.settings.seed)
        if tellForeignThread() { return }
        if let discrepancy { mailbox.send(News.discrepancy(discrepancy)) }
    }

    /// If a thread that belongs to no execution has used an execution's objects, reports that: all other results are
    /// then meaningless.
    @discardableResult private func tellForeignThread() -> Bool {
        guard let use = foreign.use else { return false }
        mailbox.send(News.discrepancy(.foreignThread(use.sentence)))
        return true
    }

    private func makeSubject() -> any Subject {
        let subject = plan.scenario.makeSubject(plan.rules, log: choices.log)
        let guarded = ends.isEmpty ? subject : GuardedSubject(subject, ends)
        return plan.prefix.choices.isEmpty ? guarded : PrefixedSubject(guarded, plan.prefix)
    }

    // MARK: - The order of units

    /// Runs the provers' units in order and, if the process is a searcher, the units of random strategies between them.
    /// When the provers are done, a process that is not a searcher becomes one, if there is a portfolio of random
    /// strategies.
    private func runProver() {
        var agenda = agenda
        var runner = UnitRunner(plan, agenda, makeSubject)
        var finished: Set<StrategyChoice> = []
        var index = 0
        while !board.isStopped {
            guard let unit = agenda.unit(index) else {
                // A divisible search ends its agenda early, to be divided here. If it has only one part, it continues
                // with the plan's whole agenda.
                if !plan.isDivisible || divide() { return }
                agenda = plan.agenda
                continue
            }
            // Units that its predecessor reported are run again for the prover's knowledge, but not reported.
            let isKnown = index < duty.resumesAt ?? 0
            if let prover = agenda.prover(of: index) {
                if !finished.contains(prover), run(unit, index, on: &runner, reports: !isKnown) != .done {
                    finished.insert(prover)
                }
            } else if duty.isSearcher && !isKnown {
                run(unit, index, on: &runner)
            }
            if !agenda.hasProver(besides: finished) {
                if !agenda.hasPortfolio { return }
                if !duty.isSearcher { return runUnits() }
            }
            index += 1
        }
    }

    /// Reports how the search can be divided.
    ///
    /// - Returns: whether the rest of the search is done in parts, by any process.
    private func divide() -> Bool {
        let parts = PartDivider.parts(
            of: SearchPart(), makeSubject(), plan, atMost: SearchPlan.mostParts
        ) { board.isStopped }
        mailbox.send(News.division(parts))
        return parts.count > 1
    }

    /// Searches parts of a divided search that no other process has taken, each to its end.
    private func runParts() {
        var part = duty.resumesAt.flatMap { agenda.part(of: $0) } ?? board.takeUnit()
        while part < agenda.parts.count && !board.isStopped {
            run(part: part)
            part = board.takeUnit()
        }
    }

    /// Runs the units of a part until its search ends.
    private func run(part: Int) {
        var plan = plan
        plan.settings.part = agenda.parts[part]
        var runner = UnitRunner(plan, Agenda(plan.strategy ?? .dpor, limit: .max), makeSubject)
        var index = Agenda.first(ofPart: part)
        while let unit = agenda.unit(index), !board.isStopped {
            let isKnown = index < duty.resumesAt ?? 0
            if run(unit, index, on: &runner, reports: !isKnown) != .done { return }
            index += 1
        }
    }

    /// Runs units of random strategies that no other process has taken.
    private func runUnits() {
        var runner = UnitRunner(plan, agenda, makeSubject)
        var index = duty.resumesAt ?? board.takeUnit()
        while let unit = agenda.unit(index), !board.isStopped {
            if agenda.prover(of: index) == nil { run(unit, index, on: &runner) }
            index = board.takeUnit()
        }
    }

    @discardableResult
    private func run(
        _ unit: Agenda.Unit, _ index: Int, on runner: inout UnitRunner, reports: Bool = true
    ) -> UnitReport.End {
        slot.pointee.begin(index)
        let report = runner.run(
            unit, index, isStopped: { board.isStopped }, publish: { [slot] in slot.pointee.counts.publish($0) })
        // Sent before the report, which may end the search.
        tellForeignThread()
        if reports { mailbox.send(News.report(unit: index, report)) }
        return report.end
    }
}
