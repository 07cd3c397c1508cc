import Machine
import Trace

/// What a search looks for, and at what it ends.
package struct SearchGoal: Sendable {
    /// Endings that are not reported.
    package var harmless: Set<OutcomeKind> = [.completed]
    /// Endings that are reported, but do not end the search.
    package var tolerated: Set<OutcomeKind> = []
    /// Findings after which the search continues because a more severe one is expected: a race is a cause, and its
    /// consequence says more.
    package var lesser: Set<OutcomeKind> = []
    /// Whether the search continues after a finding.
    package var keepsGoing = false
    /// Whether the states in which executions end are counted (`TerminalTable`).
    package var countsTerminals = false

    /// The number of states that executions must reach. `seenStates` returns the numbers of those that a subject's last
    /// or running execution has reached.
    package var soughtStates = 0
    /// Whether some of these states count anywhere in an execution, not only at its end.
    package var seeksStatesOnTheWay = false
    package var seenStates: @Sendable (any Subject) -> [Int] = { _ in [] }
    /// The endings that must each occur in some execution.
    package var sought: Set<OutcomeKind> = []
    /// Whether the search stops if each execution was cut off after every strategy had a turn: only a higher step limit
    /// would show more.
    package var givesUpEndless = false
    /// If endings are sought and all have been seen, the search ends after this number of executions without anything
    /// new. Nil: it continues.
    package var longestQuiet: Int?

    package init() {}

    package func ends(at kind: OutcomeKind) -> Bool {
        !keepsGoing && !tolerated.contains(kind) && !lesser.contains(kind)
    }
}

/// What a search has found and tried: the reports of its units, added up in the order of the agenda.
package struct SearchResult: Sendable {
    /// What stopped the search, if it did not end by itself.
    package enum Stop: String, Sendable {
        case executions, time, memory, interrupted
        /// Every strategy had its turn, and no execution ended within the step limit: see `SearchGoal.givesUpEndless`.
        case endless
        /// The program ended the search's process repeatedly.
        case fatalEnds = "fatal-ends"
    }

    package var counts = SearchCounts()
    /// Each finding once, in the order in which they were found.
    package private(set) var findings: [Counterexample] = []
    package private(set) var terminals = TerminalTable()
    /// The goal's states that some execution reached.
    package private(set) var seenStates: Set<Int> = []
    /// The strategy that has tried everything. Nil: none has.
    package private(set) var prover: StrategyChoice?
    /// The number of different executions, or states, if all were tried.
    package private(set) var total: Int?
    /// What random executions show about the number of different executions.
    package private(set) var sample = DistinctTraces()
    /// The strategies that tried everything within their bounds, though not everything that is possible.
    package private(set) var bounded: Set<StrategyChoice> = []
    /// The number of visited states, if all states with different hashes were visited.
    package private(set) var visited: Int?
    /// What searches by states, each in an order of its own, have visited. Nil: there were none.
    package private(set) var swarm: SwarmCoverage?
    /// Why strategies gave up, each reason once.
    package private(set) var obstacles: [Obstacle] = []
    /// Whether a complete search of graphs found none. That is an error of threadlab: every program has a graph that
    /// ends, or in which threads wait forever.
    package private(set) var isWithoutGraphs = false
    package var stop: Stop?
    /// The part of the program that the prover for its memory model does not support, so that only other strategies
    /// searched.
    package var partWithoutProver: String?
    /// The step limit of the search's executions.
    package var stepLimit = Rules.mostSteps
    /// The later searches under rules that allow more.
    package internal(set) var wider: [WiderSearch] = []
    /// See `Gap.escaped`. Nil: nothing has escaped.
    package var escape: String?
    /// The signal that interrupted the search.
    package private(set) var signal: Int32?
    /// Why the findings mean little: the program's executions are not determined by their choices alone. Nil: nothing
    /// shows that.
    package var discrepancy: Discrepancy?

    /// Whether everything sought was seen, and then nothing new for the number of executions that the goal sets.
    package private(set) var isQuiet = false

    private var known: Set<Counterexample.Identity> = []
    private var isFound = false
    /// The number of executions when the last new finding or state was added.
    private var lastNews = 0

    package init() {}

    /// An upper bound of the probability that a state was missed because its hash equals that of another: one in 2⁶⁴
    /// for each pair of states, if hashes are as good as random. Nil: not all states were visited, or states were not
    /// compared by hash.
    package var chanceOfMissed: Double? {
        visited.map { Double($0) * Double($0) / 2 / 0x1p64 }
    }

    /// Whether an execution differed from an earlier one with the same choices.
    package var hasDiverged: Bool {
        obstacles.contains { if case .diverged = $0 { true } else { false } }
    }

    /// A signal has interrupted the search. Only the first one is kept.
    package mutating func interrupt(by signal: Int32) {
        stop = .interrupted
        self.signal = self.signal ?? signal
    }

    /// Adds the report that comes next in the order of the agenda.
    ///
    /// - Parameter strategy: the strategy of the unit.
    package mutating func add(_ report: UnitReport, of strategy: StrategyChoice, _ goal: SearchGoal) {
        let seen = (findings: findings.count, states: seenStates.count)
        let before = counts.executions
        counts += report.counts
        terminals.add(report.terminals)
        seenStates.formUnion(report.seenStates)
        for finding in report.findings { add(finding, after: before) }
        if (findings.count, seenStates.count) != seen { lastNews = counts.executions }
        isQuiet = goal.longestQuiet.map { counts.executions - lastNews >= $0 && hasAll(goal) } ?? false
        for trace in report.traces { sample.add(trace) }
        if let obstacle = report.obstacle, !obstacles.contains(obstacle) { obstacles.append(obstacle) }
        switch report.end {
        case .found: isFound = true
        case .exhausted where strategy == .graphs && report.distinct == 0:
            bounded.insert(strategy)
            isWithoutGraphs = true
        case .exhausted:
            total = report.distinct
            prover = strategy
        case .bounded:
            bounded.insert(strategy)
            if strategy == .states { visited = report.distinct ?? visited }
        case .done, .stopped: break
        }
    }

    /// Records the rules under which all findings were found.
    package mutating func setRules(_ rules: Rules) {
        for index in findings.indices { findings[index].rules = rules }
    }

    mutating func formUnion(seenStates others: Set<Int>) { seenStates.formUnion(others) }

    /// Resets all counts, because the search starts again. The findings remain.
    package mutating func countAgain() {
        counts = SearchCounts()
        terminals = TerminalTable()
        lastNews = 0
    }

    /// Adds the report of one of several searches by states, each in an order of its own.
    package mutating func add(member report: UnitReport, _ goal: SearchGoal) {
        add(report, of: .states, goal)
        swarm = (swarm ?? SwarmCoverage()).adding(report.counts.states)
    }

    /// Whether each execution so far was cut off at the step limit.
    package var wasCutOff: Bool { counts.cutOff > 0 && counts.ended == 0 && findings.isEmpty }

    private func hasAll(_ goal: SearchGoal) -> Bool {
        !goal.sought.isEmpty && goal.sought.isSubset(of: findings.map(\.kind)) && seenStates.count == goal.soughtStates
    }

    /// Adds a finding, unless it is known.
    ///
    /// - Parameter executions: the number of executions to add to the finding's number.
    package mutating func add(_ finding: Counterexample, after executions: Int = 0) {
        guard known.insert(finding.identity).inserted else { return }
        findings.append(finding)
        findings[findings.count - 1].number += executions
    }

    /// Adds the finding of an execution that ended its process and whose unit was not repeated, unless the finding is
    /// known.
    package mutating func addFatal(_ finding: Counterexample, _ verdict: Verdict) {
        guard !known.contains(finding.identity) else { return }
        var finding = finding
        counts.add(verdict, length: finding.steps)
        finding.number = counts.executions
        add(finding)
    }

    /// Whether there is nothing left to search for.
    package var isOver: Bool { isFound || isQuiet || total != nil || discrepancy != nil }
}

/// What several searches by states, each in an order of its own, have visited. No search knows the states of another,
/// so the number of different states is not known, except that it is at least `mostStates`.
package struct SwarmCoverage: Equatable, Sendable {
    /// The number of these searches.
    package private(set) var searches = 0
    /// The states visited by the search that visited the most.
    package private(set) var mostStates = 0

    func adding(_ states: Int) -> Self {
        var sum = self
        sum.searches += 1
        sum.mostStates = max(mostStates, states)
        return sum
    }
}

/// The counts of a search. All are words, so that processes can share and send them as a list of words.
package struct SearchCounts: Equatable, Sendable {
    package var executions = 0
    /// Steps that were taken, not restored with a kept state.
    package var steps = 0
    /// The length of the longest execution, in steps.
    package var longest = 0
    /// Executions that reached the step limit, so that the rest of them was not seen.
    package var cutOff = 0
    /// Executions that were given up, because everything that they could reach is known.
    package var redundant = 0

    /// Executions, graphs or final states whose end was seen.
    package var ended = 0
    /// Executions in which time passed.
    package var timed = 0
    /// The traits of the program that matter to rules: `ProgramTraits`.
    package var traitBits = 0

    /// States that a search by states has found, and moves from state to state.
    package var states = 0
    package var moves = 0
    /// The memory of the states, in bytes.
    package var memory = 0
    /// `open`: states found and not yet expanded. `depth`: the distance of those expanded now from the first, in moves.
    package var open = 0
    package var depth = 0

    package init() {}

    /// The 13 counts in the order of their declaration.
    package var words: InlineArray<13, Int> {
        get { unsafeBitCast(self, to: InlineArray<13, Int>.self) }
        set { self = unsafeBitCast(newValue, to: Self.self) }
    }

    /// Counts one execution.
    ///
    /// - Parameters:
    ///   - length: the number of its steps.
    ///   - restored: the number of steps that were not taken, but restored with a kept state.
    @inline(__always) package mutating func add(_ verdict: Verdict, length: Int, restored: Int = 0) {
        executions += 1
        steps += length - restored
        longest = max(longest, length)
        switch verdict {
        case .stepLimit: cutOff += 1
        case .stopped: redundant += 1
        case .foreignThread: break
        case .completed, .deadlock, .misuse, .assertion, .claim, .brokenClaim, .livelock, .endless, .starvation,
            .forever,
            .error, .leak, .race, .crash, .hang:
            ended += 1
        }
    }

    package var traits: ProgramTraits {
        get { ProgramTraits(rawValue: traitBits) }
        set { traitBits = newValue.rawValue }
    }

    /// The limit of a count, so that the counts of a few searches can be added whatever files they are from.
    package static let most = 1 << 60

    package static func += (sum: inout SearchCounts, part: SearchCounts) {
        let before = sum
        for place in part.words.indices {
            sum.words[place] = min(min(sum.words[place], Self.most) + min(part.words[place], Self.most), Self.most)
        }
        // These are not sums. Only a search by states has memory; of its reports, the last one has the present figures.
        sum.longest = max(before.longest, part.longest)
        sum.traits = before.traits.union(part.traits)
        sum.memory = max(before.memory, part.memory)
        (sum.open, sum.depth) = part.memory > 0 ? (part.open, part.depth) : (before.open, before.depth)
    }
}
