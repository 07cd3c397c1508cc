import Exploration
import Machine

/// Runs units of a search's agenda in this process. A unit is a number of consecutive executions of one strategy.
///
/// A prover learns from unit to unit, so all its units must be run by the same runner, in order. Units of other
/// strategies can be run in any order, and in several processes.
struct UnitRunner {
    private enum Prover {
        case executions(ObservedStrategy, any Subject)
        case states(StateSearch)
        case graphs(GraphProver)
    }

    private let plan: SearchPlan
    private let agenda: Agenda
    private let makeSubject: () -> any Subject
    /// The program for strategies that are not provers. Each prover has its own.
    private let subject: any Subject
    /// What random walks have shown, so that none is run twice.
    private let known: KnownWalks?
    private var provers: [StrategyChoice: Prover] = [:]

    /// Different traces are counted only among this number of executions.
    private static let sampleSize = 100_000

    /// - Parameter makeSubject: makes the program to search.
    init(_ plan: SearchPlan, _ agenda: Agenda, _ makeSubject: @escaping () -> any Subject) {
        self.plan = plan
        self.agenda = agenda
        self.makeSubject = makeSubject
        subject = makeSubject()
        known =
            agenda.hasPortfolio
            ? KnownWalks(subject, seed: plan.settings.seed, rules: plan.rules, goal: plan.goal) : nil
    }

    /// - Parameters:
    ///   - index: the unit's number in the agenda.
    ///   - isStopped: whether to stop; asked before each execution, or at intervals in a search by states or graphs.
    ///   - publish: receives the counts during the unit.
    mutating func run(
        _ unit: Agenda.Unit, _ index: Int, isStopped: () -> Bool,
        publish: @escaping (SearchCounts) -> Void = { _ in }
    ) -> UnitReport {
        let report = perform(unit, index, isStopped, publish)
        // A prover that has ended is not needed any more, and others need its memory.
        if report.end != .done, let prover = agenda.prover(of: index) { provers[prover] = nil }
        return report
    }

    private mutating func perform(
        _ unit: Agenda.Unit, _ index: Int, _ isStopped: () -> Bool, _ publish: @escaping (SearchCounts) -> Void
    ) -> UnitReport {
        switch runner(of: unit, index) {
        case .executions(let strategy, let subject):
            var search = UnitSearch(unit, plan.goal, publish: publish)
            return search.run(strategy, on: subject, isStopped: isStopped)
        case .graphs(let search):
            return search.run(unit.executions.count, isStopped: isStopped, publish: publish)
        case .states(let search):
            return search.run(unit.executions.count, isStopped: isStopped, publish: publish)
        }
    }

    private mutating func runner(of unit: Agenda.Unit, _ index: Int) -> Prover {
        guard let choice = agenda.prover(of: index) else {
            return .executions(strategy(of: unit, index, known), subject)
        }
        if let prover = provers[choice] { return prover }
        let prover = makeProver(unit, index)
        provers[choice] = prover
        return prover
    }

    private func makeProver(_ unit: Agenda.Unit, _ index: Int) -> Prover {
        let subject = makeSubject()
        if unit.strategy == .graphs, let subject = subject as? any GraphSearchable {
            return .graphs(GraphProver(subject, plan.goal, plan.rules, part: plan.settings.part))
        }
        guard unit.strategy == .states, let subject = subject as? any StatefulSubject else {
            return .executions(strategy(of: unit, index), subject)
        }
        var settings = plan.settings.states
        settings.rules = plan.rules
        // Machines that divide a search by states each visit the states in an order of their own.
        if let member = plan.settings.part.member, !member.isWhole { settings.go(inOrder: member, plan.settings.seed) }
        return .states(StateSearch(subject, plan.goal, settings))
    }

    private func strategy(of unit: Agenda.Unit, _ index: Int, _ known: KnownWalks? = nil) -> ObservedStrategy {
        let strategy = unit.strategy.make(plan.settings)
        return ObservedStrategy(
            strategy, distinguishesTraces: agenda.prover(of: index) == nil && unit.before < Self.sampleSize,
            known: known)
    }
}
