import Machine
import Trace

/// Runs the executions of one unit of the agenda, and looks at how each ended.
package struct UnitSearch {
    private let goal: SearchGoal
    private let unit: Agenda.Unit
    /// Where counts are kept while it runs: another process may look.
    private let counts: UnsafeMutablePointer<SearchCounts>
    private var report = UnitReport()
    private var known: Set<Finding.Identity> = []

    package init(_ unit: Agenda.Unit, _ goal: SearchGoal, counts: UnsafeMutablePointer<SearchCounts>) {
        self.unit = unit
        self.goal = goal
        self.counts = counts
        counts.pointee = SearchCounts()
    }

    /// - Parameters:
    ///   - strategy: as it is after the unit's executions of smaller numbers; a random one may be new.
    ///   - isStopped: whether to stop; asked before each execution.
    package mutating func run(
        _ strategy: WatchedStrategy, on subject: any Subject, isStopped: () -> Bool
    ) -> UnitReport {
        report.end = search(strategy, subject, isStopped)
        if let strategy = strategy.strategy as? any ExhaustiveStrategy {
            report.distinct = strategy.distinctCount
            report.obstacle = strategy.obstacle
        }
        report.counts = counts.pointee
        return report
    }

    private mutating func search(
        _ strategy: WatchedStrategy, _ subject: any Subject, _ isStopped: () -> Bool
    ) -> UnitReport.End {
        for number in unit.executions {
            if isStopped() { return .stopped }
            guard strategy.whole.prepare(number) else {
                let isAll = (strategy.strategy as? any ExhaustiveStrategy).map { !$0.isBounded && $0.obstacle == nil }
                return isAll ?? false ? .exhausted : .bounded
            }
            let verdict = strategy.whole.execute(subject)
            counts.pointee.add(verdict, steps: subject.stepCount)
            if subject.machine.time > 0 { counts.pointee.timed += 1 }
            if goal.countsSpurious && subject.machine.isSpuriousBudgetSpent { counts.pointee.spent += 1 }
            if let traces = strategy.traces { report.traces.append(traces.trace) }
            if verdict == .completed { lookForStates(subject) }
            let race = verdict == .completed ? strategy.races.races.first : nil
            guard let kind = race == nil ? verdict.outcome : .race else { continue }
            if goal.countsTerminals {
                // Nobody knows what a step left that ended the process.
                let memory = verdict == .crash || verdict == .hang ? [] : subject.machine.memory
                report.terminals.add(TerminalState(kind, memory)) { subject.schedule }
            }
            if goal.harmless.contains(kind) { continue }
            note(kind, place: kind == .completed ? 0 : race?.place ?? subject.place, subject)
            if goal.ends(at: kind) { return .found }
        }
        return .done
    }

    private mutating func lookForStates(_ subject: any Subject) {
        guard report.seenStates.count < goal.soughtStates else { return }
        report.seenStates.formUnion(goal.seenStates(subject))
    }

    private mutating func note(_ kind: OutcomeKind, place: Int, _ subject: any Subject) {
        guard known.count < Self.mostFindings, known.insert(.init(kind: kind, place: place)).inserted else { return }
        report.findings.append(
            Finding(
                kind, place: place, schedule: subject.schedule, steps: subject.stepCount,
                number: unit.before + counts.pointee.executions, strategy: unit.strategy))
    }

    /// More in one unit are not kept apart: nobody reads so many.
    private static let mostFindings = 1000
}
