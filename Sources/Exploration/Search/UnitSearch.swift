import Machine
import Trace

/// Runs the executions of one unit of the agenda (consecutive executions of one strategy), and examines how each ended.
package struct UnitSearch {
    private let goal: SearchGoal
    private let unit: Agenda.Unit
    private let publish: (SearchCounts) -> Void
    private var counts = SearchCounts()
    private var report = UnitReport()
    private var known: Set<Counterexample.Identity> = []
    /// The endings that are not reported, one bit each: a lookup in a set would take as long as several steps.
    private let harmless: UInt64
    /// The numbers of the endings (`KnownWalks.note`) that walks of this unit have had, one bit each. A later walk with
    /// such an ending reports nothing new and is only counted.
    private var noted: UInt64 = 0

    /// - Parameter publish: called with the counts at the beginning, after each execution that is run, and after some
    ///   of the walks that are only looked up.
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
    ///   - strategy: has run all executions with smaller numbers, unless it is a random strategy.
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
        // Local constants save reference counting in each execution.
        let walk = strategy.strategy
        let races = strategy.races
        let traces = strategy.traces
        let known = strategy.known
        let seeksStates = goal.soughtStates > 0
        for number in unit.executions {
            if isStopped() { return .stopped }
            if counts.steps >= unit.steps || isEndless { return .done }
            if let known, known.isUsed, count(number, of: known) { continue }
            guard walk.prepare(number) else {
                let isAll = (walk as? any ExhaustiveStrategy).map { !$0.isBounded && $0.obstacle == nil }
                return isAll ?? false ? .exhausted : .bounded
            }
            let verdict = known?.run(number, races) ?? walk.execute(subject)
            counts.add(verdict, length: subject.stepCount, restored: subject.restoredSteps)
            if subject.machine.time > 0 { counts.timed += 1 }
            counts.traits.formUnion(subject.machine.traits)
            if races.firstRace != nil { counts.traits.insert(.races) }
            publish(counts)
            if let traces { report.traces.append(traces.trace) }
            if seeksStates { noteStates(subject) }
            let race = verdict.yieldsToRace ? races.firstRace : nil
            let isFound = examine(verdict, race, subject)
            if let known { remember(verdict, race, subject, in: known) }
            if isFound { return .found }
        }
        return .done
    }

    /// Whether all executions were cut off at a step limit that can be raised, so that more executions would show
    /// nothing.
    private var isEndless: Bool {
        goal.givesUpEndless && counts.cutOff >= Self.fewestCutOff && counts.ended == 0
    }

    /// The number of executions that must have been cut off for that.
    private static let fewestCutOff = 3

    /// Examines how the execution ended. Returns whether the search is over.
    private mutating func examine(_ verdict: Verdict, _ race: DataRace?, _ subject: any Subject) -> Bool {
        let end = race == nil ? verdict : .race
        // Not a finding, because the same choices need not lead to it again.
        if end == .foreignThread { return true }
        guard let kind = end.outcome else { return false }
        // An execution that rightly continues forever has no last state.
        if goal.countsTerminals && verdict != .forever {
            // The effect of a step that ended the process is unknown, and an execution that was cut off has no last
            // state.
            let hasNoEnd = verdict == .crash || verdict == .hang || verdict.isCutOff
            let memory = hasNoEnd ? [] : subject.machine.memory
            report.terminals.add(TerminalState(kind, memory)) { subject.schedule }
        }
        if isHarmless(end) { return false }
        note(kind, place: place(of: kind, race, subject), subject)
        if !end.isOfClaim { return goal.ends(at: kind) }
        let others = subject.otherBrokenClaims.compactMap(Counterexample.Identity.init)
        for other in others { note(other.kind, place: other.place, subject) }
        return goal.ends(at: kind) || others.contains { goal.ends(at: $0.kind) }
    }

    private func place(of kind: OutcomeKind, _ race: DataRace?, _ subject: any Subject) -> Int {
        kind == .completed ? 0 : race?.place ?? subject.place
    }

    // MARK: - Walks that need not be run

    /// Counts the walk with this number, if it is known to end like an earlier one of this unit. Returns whether it is.
    @inline(__always) private mutating func count(_ number: Int, of known: KnownWalks) -> Bool {
        guard let (ending, steps) = known.lookUp(number), noted & 1 << UInt64(ending) != 0 else { return false }
        // All endings of known walks are counted alike.
        counts.add(.completed, length: steps)
        if known.timed & 1 << UInt64(ending) != 0 { counts.timed += 1 }
        if counts.executions.isMultiple(of: Self.walksPerPublication) { publish(counts) }
        return true
    }

    /// Remembers how the last walk ended.
    private mutating func remember(
        _ verdict: Verdict, _ race: DataRace?, _ subject: any Subject, in known: KnownWalks
    ) {
        if !known.isUsed { return }
        let end = race == nil ? verdict : .race
        var ending = KnownWalks.Ending(end: end)
        if let kind = end.outcome, !isHarmless(end) { ending.place = place(of: kind, race, subject) }
        ending.isTimed = subject.machine.time > 0
        if goal.soughtStates > 0 { ending.states = goal.seenStates(subject) }
        if verdict.isOfClaim { ending.otherClaims = subject.otherBrokenClaims }
        if let number = known.note(ending, steps: subject.stepCount) { noted |= 1 << UInt64(number) }
    }

    /// A known walk publishes the counts only if the number of all executions is then a multiple of this.
    private static let walksPerPublication = 256

    private func isHarmless(_ end: Verdict) -> Bool { harmless & 1 << UInt64(end.rawValue) != 0 }

    private mutating func noteStates(_ subject: any Subject) {
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

    /// The maximum number of different findings of a unit. No report shows more.
    private static let mostFindings = 1000
}

/// The result of a unit of the agenda, or of a part of it.
package struct UnitReport: Sendable {
    package enum End: Int, Sendable {
        /// The unit is over: all its executions were run, its steps are used up, or every execution was cut off and the
        /// search gave up (`isEndless`).
        case done
        /// The search ended at a finding that it sought, or because a thread unknown to the scheduler made executions
        /// unrepeatable (`foreignThread`).
        case found
        /// The strategy has nothing left to try.
        case exhausted
        /// The strategy has tried everything within its bound, but not everything that is possible.
        case bounded
        /// The search was asked to stop.
        case stopped
    }

    package var counts = SearchCounts()
    /// Each finding once, in the order in which they were found.
    package var findings: [Counterexample] = []
    package var terminals = TerminalTable()
    package var end = End.done
    /// The number of different executions, graphs or states that the strategy has tried, in this unit and earlier ones,
    /// if known.
    package var distinct: Int?
    /// The traces of random executions, if they were distinguished.
    package var traces: [UInt64] = []
    /// The goal's states that some execution reached.
    package var seenStates: Set<Int> = []
    /// Why the strategy cannot continue. Nil: it can.
    package var obstacle: Obstacle?

    package init() {}

    /// Adds the report of what was done next, as if one unit had done both.
    package mutating func append(_ next: UnitReport) {
        let before = counts.executions
        counts += next.counts
        let known = Set(findings.map(\.identity))
        for var finding in next.findings where !known.contains(finding.identity) {
            finding.number += before
            findings.append(finding)
        }
        // Keeps the states of both reports.
        terminals.becomeShare()
        terminals.add(next.terminals)
        end = next.end
        distinct = next.distinct ?? distinct
        traces += next.traces
        seenStates.formUnion(next.seenStates)
        obstacle = obstacle ?? next.obstacle
    }
}
