import Exploration
import Machine

/// The child's side of a search process.
struct SearchWorker {
    /// The units that it does.
    struct Duty: Equatable {
        /// Whether it is the first search process.
        var isFirst = false
        /// Whether it does the prover's units, and whether it does the other units.
        var isProver: Bool
        var isSearcher: Bool
        /// The unit at which its predecessor had a fatal end: it starts there.
        var resumesAt: Int?
    }

    let plan: SearchPlan
    let agenda: Agenda
    let duty: Duty
    let board: SearchBoard
    let slot: UnsafeMutablePointer<SearchBoard.Slot>
    let choices: SharedChoices
    let mailbox: Mailbox
    /// The known fatal ends of the program.
    let ends: [FatalEnd]

    /// The number of executions at the beginning of a search that suffice to estimate how many distinct ones there are.
    private static let sampleSize = 100_000

    func run() {
        if checksRepetition { checkRepetition() }
        if duty.isProver { runProver() } else { runUnits() }
    }

    /// Whether it first tests that the program can be searched.
    private var checksRepetition: Bool { duty.isFirst && duty.resumesAt == nil && plan.scenario.runsOwnCode }

    private func checkRepetition() {
        let subject = plan.scenario.makeSubject(plan.rules, log: choices.log)
        guard let discrepancy = RepetitionCheck.discrepancy(of: subject, seed: plan.settings.seed) else { return }
        mailbox.send(.discrepancy(discrepancy))
    }

    private func makeSubject() -> any Subject {
        let subject = plan.scenario.makeSubject(plan.rules, log: choices.log)
        let guarded = ends.isEmpty ? subject : GuardedSubject(subject, ends)
        return plan.prefix.choices.isEmpty ? guarded : PrefixedSubject(guarded, plan.prefix)
    }

    // MARK: - The order of units

    /// The units in order, without those of other processes. The prover's knowledge grows from each of its units to the
    /// next.
    private func runProver() {
        let subject = makeSubject()
        let known = knownWalks(of: subject)
        var provers: [StrategyChoice: Prover] = [:]
        var finished: Set<StrategyChoice> = []
        var index = 0
        while let unit = agenda.unit(index), !board.isStopped {
            // Units that its predecessor reported are run again, but not reported.
            let isKnown = index < duty.resumesAt ?? 0
            if let choice = agenda.prover(of: index) {
                if !finished.contains(choice) {
                    let prover = provers[choice] ?? makeProver(unit, index)
                    provers[choice] = prover
                    if run(unit, index, prover, reports: !isKnown) != .done { finished.insert(choice) }
                }
            } else if duty.isSearcher && !isKnown {
                run(unit, index, .executions(strategy(of: unit, index, known), subject))
            }
            if !agenda.hasProver(besides: finished) {
                if !agenda.hasPortfolio { return }
                if !duty.isSearcher { return runUnits() }
            }
            index += 1
        }
    }

    /// A strategy that builds on what it has seen, or one that does not; and what it searches.
    private enum Prover {
        case executions(ObservedStrategy, any Subject)
        case states(StateSearch)
    }

    private func makeProver(_ unit: Agenda.Unit, _ index: Int) -> Prover {
        let subject = makeSubject()
        guard unit.strategy == .states, let subject = subject as? any StatefulSubject else {
            return .executions(strategy(of: unit, index), subject)
        }
        var settings = plan.settings.states
        settings.rules = plan.rules
        return .states(StateSearch(subject, plan.goal, settings))
    }

    private func strategy(of unit: Agenda.Unit, _ index: Int, _ known: KnownWalks? = nil) -> ObservedStrategy {
        let strategy = unit.strategy.make(plan.settings)
        return ObservedStrategy(
            strategy, distinguishesTraces: agenda.prover(of: index) == nil && unit.before < Self.sampleSize,
            known: known)
    }

    private func knownWalks(of subject: any Subject) -> KnownWalks? {
        KnownWalks(subject, seed: plan.settings.seed, rules: plan.rules, goal: plan.goal)
    }

    private func runUnits() {
        let subject = makeSubject()
        let known = knownWalks(of: subject)
        var index = duty.resumesAt ?? board.takeUnit()
        while let unit = agenda.unit(index), !board.isStopped {
            if agenda.prover(of: index) == nil {
                run(unit, index, .executions(strategy(of: unit, index, known), subject))
            }
            index = board.takeUnit()
        }
    }

    @discardableResult
    private func run(
        _ unit: Agenda.Unit, _ index: Int, _ prover: Prover, reports: Bool = true
    ) -> UnitReport.End {
        slot.pointee.begin(index)
        let publish = { [slot] in slot.pointee.counts.publish($0) }
        let report: UnitReport
        switch prover {
        case .executions(let strategy, let subject):
            var search = UnitSearch(unit, plan.goal, publish: publish)
            report = search.run(strategy, on: subject) { board.isStopped }
        case .states(let search):
            report = search.run(unit.executions.count, isStopped: { board.isStopped }, publish: publish)
        }
        guard reports else { return report.end }
        mailbox.send(.report(unit: index, report))
        return report.end
    }
}
