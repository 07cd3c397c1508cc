import Exploration
import Machine

/// A process of a search: the child's side.
struct SearchWorker {
    /// Which units it does.
    struct Duty: Equatable {
        /// Whether it is the first of those that search.
        var isFirst = false
        /// Whether it does the prover's units; and whether it does the others.
        var isProver: Bool
        var isSearcher: Bool
        /// The unit at which its forerunner came to a fatal end: it begins there.
        var resumesAt: Int?
    }

    let plan: SearchPlan
    let agenda: Agenda
    let duty: Duty
    let board: SearchBoard
    let slot: UnsafeMutablePointer<SearchBoard.Slot>
    let choices: SharedChoices
    let mailbox: Mailbox
    /// What is known of the program's fatal ends.
    let ends: [FatalEnd]

    /// So many executions, at the search's beginning, are enough to guess how many different ones there are.
    private static let sampleSize = 100_000

    func run() {
        if checksRepetition { checkRepetition() }
        if duty.isProver { runProver() } else { runUnits() }
    }

    /// Whether it looks first whether the program can be searched at all.
    private var checksRepetition: Bool { duty.isFirst && duty.resumesAt == nil && plan.scenario.runsOwnCode }

    private func checkRepetition() {
        let subject = plan.scenario.makeSubject(plan.rules, log: choices.log)
        guard let discrepancy = RepetitionCheck.discrepancy(of: subject, seed: plan.settings.seed) else { return }
        mailbox.send(.discrepancy(discrepancy))
    }

    private func makeSubject() -> any Subject {
        let subject = plan.scenario.makeSubject(plan.rules, log: choices.log)
        return ends.isEmpty ? subject : GuardedSubject(subject, ends)
    }

    // MARK: - The order of units

    /// All in their order, or those of others left out. What the prover knows grows from one of its units to the next.
    private func runProver() {
        let subject = makeSubject()
        let others = makeSubject()
        var prover: ObservedStrategy?
        var isOver = false
        var index = 0
        while let unit = agenda.unit(index), !board.isStopped {
            // What its forerunner reported is run again, and not reported.
            let isKnown = index < duty.resumesAt ?? 0
            if agenda.isProvers(index) && !isOver {
                if prover == nil { prover = strategy(of: unit, index) }
                isOver = run(unit, index, prover!, subject, reports: !isKnown) != .done
                if isOver && !agenda.hasPortfolio { return }
            } else if duty.isSearcher && !agenda.isProvers(index) && !isKnown {
                run(unit, index, strategy(of: unit, index), others)
            }
            if isOver && !duty.isSearcher { return runUnits() }
            index += 1
        }
    }

    private func strategy(of unit: Agenda.Unit, _ index: Int) -> ObservedStrategy {
        let strategy = unit.strategy.make(plan.settings)
        return ObservedStrategy(
            strategy, distinguishesTraces: !agenda.isProvers(index) && unit.before < Self.sampleSize)
    }

    private func runUnits() {
        let subject = makeSubject()
        var index = duty.resumesAt ?? board.takeUnit()
        while let unit = agenda.unit(index), !board.isStopped {
            if !agenda.isProvers(index) { run(unit, index, strategy(of: unit, index), subject) }
            index = board.takeUnit()
        }
    }

    @discardableResult
    private func run(
        _ unit: Agenda.Unit, _ index: Int, _ strategy: ObservedStrategy, _ subject: any Subject, reports: Bool = true
    ) -> UnitReport.End {
        slot.pointee.begin(index)
        var search = UnitSearch(unit, plan.goal) { [slot] in slot.pointee.counts.publish($0) }
        let report = search.run(strategy, on: subject) { board.isStopped }
        guard reports else { return report.end }
        mailbox.send(.report(unit: index, report))
        return report.end
    }
}
