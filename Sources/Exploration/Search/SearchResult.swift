import Machine
import Trace

/// The result of a search.
package struct SearchResult: Sendable {
    /// Why it ended, if not by itself.
    package enum Stop: String, Sendable {
        case executions, time, interrupted
        /// The program repeatedly ended the process of its search.
        case fatalEnds = "fatal-ends"
    }

    package var counts = SearchCounts()
    /// Each once, in the order in which they were found.
    package private(set) var findings: [Counterexample] = []
    package private(set) var terminals = TerminalTable()
    /// Those of the goal's states that some execution ended in.
    package private(set) var seenStates: Set<Int> = []
    /// The strategy that has tried everything.
    package private(set) var prover: StrategyChoice?
    /// The number of different executions, or states, if all were tried.
    package private(set) var total: Int?
    /// What random executions show about the number of different ones.
    package private(set) var sample = DistinctTraces()
    /// The strategies that have tried everything that they may try, though not everything.
    package private(set) var bounded: Set<StrategyChoice> = []
    /// The number of states, if all were visited that differ in their hashes.
    package private(set) var visited: Int?
    package private(set) var obstacle: Obstacle?
    package var stop: Stop?
    /// The signal that interrupted it.
    package private(set) var signal: Int32?
    /// Where a repeated execution behaved differently. The findings then mean little.
    package var discrepancy: Discrepancy?

    /// Whether everything sought was seen, and then nothing new for the number of executions that the goal sets.
    package private(set) var isQuiet = false

    private var known: Set<Counterexample.Identity> = []
    private var isFound = false
    /// The number of executions after which the last finding or state was new.
    private var lastNews = 0

    package init() {}

    /// The greatest probability that a state was missed because another one has the same hash of 64 bits, if hashes are as good as
    /// random: one in 2⁶⁴ for each pair of states. Nil: not all states were visited, or they were not compared by hash.
    package var chanceOfMissed: Double? {
        visited.map { Double($0) * Double($0) / 2 / 0x1p64 }
    }

    /// The search was interrupted; of several signals the first counts.
    package mutating func interrupt(by signal: Int32) {
        stop = .interrupted
        self.signal = self.signal ?? signal
    }

    /// Adds what came next in the order of the agenda.
    ///
    /// - Parameter strategy: the unit's.
    package mutating func add(_ report: UnitReport, of strategy: StrategyChoice, _ goal: SearchGoal) {
        let known = (findings: findings.count, states: seenStates.count)
        let before = counts.executions
        counts += report.counts
        terminals.add(report.terminals)
        seenStates.formUnion(report.seenStates)
        for finding in report.findings { add(finding, after: before) }
        if (findings.count, seenStates.count) != known { lastNews = counts.executions }
        isQuiet = goal.longestQuiet.map { counts.executions - lastNews >= $0 && hasAll(goal) } ?? false
        for trace in report.traces { sample.add(trace) }
        obstacle = obstacle ?? report.obstacle
        switch report.end {
        case .found: isFound = true
        case .exhausted:
            total = report.distinct
            prover = strategy
        case .bounded:
            bounded.insert(strategy)
            if strategy == .states { visited = report.distinct }
        case .done, .stopped: break
        }
    }

    /// Forgets all counts, because what has been searched is searched again. The findings remain.
    package mutating func countAgain() {
        counts = SearchCounts()
        terminals = TerminalTable()
        lastNews = 0
    }

    private func hasAll(_ goal: SearchGoal) -> Bool {
        !goal.sought.isEmpty && goal.sought.isSubset(of: findings.map(\.kind)) && seenStates.count == goal.soughtStates
    }

    /// Adds a finding, unless it is known.
    ///
    /// - Parameter executions: the number of executions before those that its number counts.
    package mutating func add(_ finding: Counterexample, after executions: Int = 0) {
        guard known.insert(finding.identity).inserted else { return }
        findings.append(finding)
        findings[findings.count - 1].number += executions
    }

    /// Adds the finding of an execution that ended its process, and whose unit was not done again; unless it is known.
    package mutating func addFatal(_ finding: Counterexample, _ verdict: Verdict) {
        guard !known.contains(finding.identity) else { return }
        var finding = finding
        counts.add(verdict, length: finding.steps)
        finding.number = counts.executions
        add(finding)
    }

    /// Whether there is nothing more to be searched for.
    package var isOver: Bool { isFound || isQuiet || total != nil || discrepancy != nil }
}
