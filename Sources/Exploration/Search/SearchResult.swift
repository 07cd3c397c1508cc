import Machine
import Trace

/// What the search is for.
package struct SearchGoal: Sendable {
    /// Endings that are not reported.
    package var harmless: Set<OutcomeKind> = [.completed]
    /// Endings that are reported and do not end the search: it looks for other ones.
    package var tolerated: Set<OutcomeKind> = []
    /// Findings after which the search continues, because a graver one is expected: a race is the cause, and its
    /// consequence says more.
    package var lesser: Set<OutcomeKind> = []
    /// Whether it continues after a finding.
    package var keepsGoing = false
    /// Whether terminal states are counted.
    package var countsTerminals = false

    /// The number of states that executions must reach, and those that the last execution of a subject, or the present one, has
    /// reached.
    package var soughtStates = 0
    /// Whether some count in any state of an execution, not only at its end.
    package var seeksStatesOnTheWay = false
    package var seenStates: @Sendable (any Subject) -> [Int] = { _ in [] }
    /// The endings that must occur, each in some execution.
    package var sought: Set<OutcomeKind> = []
    /// Whether the search stops when every strategy had its turn, and each execution was cut off: a higher limit of steps shows more.
    package var givesUpEndless = false
    /// If endings are sought and all have been seen, the search ends after this number of executions that show nothing
    /// new. Nil: it continues.
    package var longestQuiet: Int?

    package init() {}

    package func ends(at kind: OutcomeKind) -> Bool {
        !keepsGoing && !tolerated.contains(kind) && !lesser.contains(kind)
    }
}

/// The result of a search.
package struct SearchResult: Sendable {
    /// Why it ended, if not by itself.
    package enum Stop: String, Sendable {
        case executions, time, memory, interrupted
        /// Every strategy had its turn, and no execution has ended within the limit of steps: see `SearchGoal.givesUpEndless`.
        case endless
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
    /// What searches by states in orders of their own have visited. Nil: there were none.
    package private(set) var swarm: SwarmCoverage?
    /// Why strategies have given up, each reason once.
    package private(set) var obstacles: [Obstacle] = []
    /// Whether threadlab is wrong: all graphs were searched, and there was none. Every program has a graph that ends, or in which threads
    /// wait forever.
    package private(set) var isWithoutGraphs = false
    package var stop: Stop?
    /// What in the program the prover of its memory model cannot take: only other strategies have searched.
    package var partWithoutProver: String?
    /// The limit of steps of its executions.
    package var stepLimit = Rules.mostSteps
    /// What was searched after it under rules that allow more.
    package internal(set) var wider: [WiderSearch] = []
    /// See `Gap.escaped`. Nil: nothing has.
    package var escape: String?
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

    /// Whether an execution was not as the same choices had led to before.
    package var hasDiverged: Bool {
        obstacles.contains { if case .diverged = $0 { true } else { false } }
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

    /// Says by which rules its findings were found.
    package mutating func setRules(_ rules: Rules) {
        for index in findings.indices { findings[index].rules = rules }
    }

    mutating func formUnion(seenStates others: Set<Int>) { seenStates.formUnion(others) }

    /// Forgets all counts, because what has been searched is searched again. The findings remain.
    package mutating func countAgain() {
        counts = SearchCounts()
        terminals = TerminalTable()
        lastNews = 0
    }

    /// Adds the report of a search by states, one of several in orders of their own.
    package mutating func add(member report: UnitReport, _ goal: SearchGoal) {
        add(report, of: .states, goal)
        swarm = (swarm ?? SwarmCoverage()).adding(report.counts.states)
    }

    /// Whether each execution so far was cut off at the limit of steps.
    package var wasCutOff: Bool { counts.cutOff > 0 && counts.ended == 0 && findings.isEmpty }

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

/// What searches by states in orders of their own have visited. States that several have visited count several times in the sum, because
/// no search knows those of another one.
package struct SwarmCoverage: Equatable, Sendable {
    package private(set) var searches = 0
    /// By the search that visited the most.
    package private(set) var mostStates = 0

    func adding(_ states: Int) -> Self {
        var sum = self
        sum.searches += 1
        sum.mostStates = max(mostStates, states)
        return sum
    }
}

/// The counts of a search. They are nothing but numbers, so that their list stands here alone: processes share and send
/// them as words.
package struct SearchCounts: Equatable, Sendable {
    package var executions = 0
    /// Steps that were taken, without those restored with a kept state.
    package var steps = 0
    /// The most steps of an execution.
    package var longest = 0
    /// Executions that reached the step limit: what lies beyond was not seen.
    package var cutOff = 0
    /// Executions that were given up, because everything that they could reach is known.
    package var redundant = 0

    /// Executions, graphs or final states that were seen to end in some way.
    package var ended = 0
    /// Executions in which time passed.
    package var timed = 0
    /// What the program was seen to do that rules can be about: `ProgramTraits`.
    package var traitBits = 0

    /// States that a search by states has found, and its moves from state to state.
    package var states = 0
    package var moves = 0
    /// The memory of the states, in bytes.
    package var memory = 0
    /// States found and not yet expanded, and how many moves the ones expanded now are away from the first.
    package var open = 0
    package var depth = 0

    package init() {}

    /// The counts in their order.
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

    /// No search counts more. Those of a few searches can be added up, whatever files they are from.
    package static let most = 1 << 60

    package static func += (sum: inout SearchCounts, part: SearchCounts) {
        let before = sum
        for place in part.words.indices {
            sum.words[place] = min(min(sum.words[place], Self.most) + min(part.words[place], Self.most), Self.most)
        }
        sum.longest = max(before.longest, part.longest)
        sum.traits = before.traits.union(part.traits)
        sum.memory = max(before.memory, part.memory)
        (sum.open, sum.depth) = part.memory > 0 ? (part.open, part.depth) : (before.open, before.depth)
    }
}
