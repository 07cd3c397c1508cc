import Machine
import Trace

/// Runs the executions of one unit of the agenda, and looks at how each ended.
package struct UnitSearch {
    private let goal: SearchGoal
    private let unit: Agenda.Unit
    /// Receives the counts while it runs.
    private let publish: (SearchCounts) -> Void
    private var counts = SearchCounts()
    private var report = UnitReport()
    private var known: Set<Counterexample.Identity> = []
    /// The endings that are not reported, one bit each: a lookup in a set would take as long as several steps.
    private let harmless: UInt64

    /// - Parameter publish: is called with the counts at the beginning, and after each execution.
    package init(_ unit: Agenda.Unit, _ goal: SearchGoal, publish: @escaping (SearchCounts) -> Void = { _ in }) {
        self.unit = unit
        self.goal = goal
        self.publish = publish
        harmless = Verdict.allCases.reduce(0) { bits, end in
            let isHarmless = end.outcome.map(goal.harmless.contains) ?? false
            return isHarmless ? bits | 1 << UInt64(end.rawValue) : bits
        }
        publish(counts)
    }

    /// - Parameters:
    ///   - strategy: in its state after the executions with smaller numbers; a random strategy may be new.
    ///   - isStopped: whether to stop; asked before each execution.
    package mutating func run(
        _ strategy: ObservedStrategy, on subject: any Subject, isStopped: () -> Bool
    ) -> UnitReport {
        subject.observers = strategy.observers
        defer { subject.observers = [] }
        report.end = search(strategy, subject, isStopped)
        if let strategy = strategy.strategy as? any ExhaustiveStrategy {
            report.distinct = strategy.distinctCount
            report.obstacle = strategy.obstacle
        }
        report.counts = counts
        return report
    }

    private mutating func search(
        _ strategy: ObservedStrategy, _ subject: any Subject, _ isStopped: () -> Bool
    ) -> UnitReport.End {
        // Constants, which need not be counted in each execution.
        let walk = strategy.strategy
        let races = strategy.races
        let traces = strategy.traces
        let seeksStates = goal.soughtStates > 0
        for number in unit.executions {
            if isStopped() { return .stopped }
            guard walk.prepare(number) else {
                let isAll = (walk as? any ExhaustiveStrategy).map { !$0.isBounded && $0.obstacle == nil }
                return isAll ?? false ? .exhausted : .bounded
            }
            let verdict = walk.execute(subject)
            counts.add(verdict, length: subject.stepCount, restored: subject.restoredSteps)
            if subject.machine.time > 0 { counts.timed += 1 }
            if goal.countsSpurious && subject.machine.isSpuriousBudgetSpent { counts.spent += 1 }
            publish(counts)
            if let traces { report.traces.append(traces.trace) }
            if seeksStates && verdict == .completed { lookForStates(subject) }
            let race = verdict == .completed ? races.firstRace : nil
            let end = race == nil ? verdict : .race
            guard let kind = end.outcome else { continue }
            if goal.countsTerminals {
                // The effect of a step that ended the process is unknown.
                let memory = verdict == .crash || verdict == .hang ? [] : subject.machine.memory
                report.terminals.add(TerminalState(kind, memory)) { subject.schedule }
            }
            if isHarmless(end) { continue }
            note(kind, place: kind == .completed ? 0 : race?.place ?? subject.place, subject)
            if goal.ends(at: kind) { return .found }
        }
        return .done
    }

    private func isHarmless(_ end: Verdict) -> Bool { harmless & 1 << UInt64(end.rawValue) != 0 }

    private mutating func lookForStates(_ subject: any Subject) {
        guard report.seenStates.count < goal.soughtStates else { return }
        report.seenStates.formUnion(goal.seenStates(subject))
    }

    private mutating func note(_ kind: OutcomeKind, place: Int, _ subject: any Subject) {
        guard known.count < Self.mostFindings, known.insert(.init(kind: kind, place: place)).inserted else { return }
        report.findings.append(
            Counterexample(
                kind, place: place, schedule: subject.schedule, steps: subject.stepCount,
                number: counts.executions, strategy: unit.strategy))
    }

    /// More per unit are not distinguished: no report shows more.
    private static let mostFindings = 1000
}
