import Authoring
import Exploration
import Machine

/// What to search, how, and for how long.
package struct SearchPlan {
    /// The scenario, with its parameters set.
    package var scenario: any Runnable
    /// The only strategy. Nil: provers together with a portfolio of random strategies.
    package var strategy: StrategyChoice?
    package var settings = StrategySettings()
    package var goal = SearchGoal()
    /// The choices with which every execution begins. Only what follows them is searched.
    package var prefix = Schedule()
    /// The maximum number of executions; of states, if the only strategy is the search by states.
    package var executions = Int.max
    /// The time limit of the search, in nanoseconds.
    package var time = UsualTime.search
    /// When the whole command must end, which after the search also shrinks, repeats and explains findings. Nil: no
    /// time is set, and that work may take as long as the search.
    package var end: Deadline?
    /// The limit for computing between two steps, in nanoseconds of processor time.
    package var stepTime = UsualTime.step
    /// The limit for the memory of each search process, in bytes. Nil: no limit.
    package var memory: Int?
    /// What further stages of the search allow, if it matters to the program: see `StagedSearch`.
    package var freedoms: [WiderSearch.Freedom] = []
    /// Whether the step limit is raised if no execution ends within it.
    package var raisesSteps = false
    /// The findings of earlier stages, which are not explained (shrunk and repeated) again.
    var explained: Set<Counterexample.Identity> = []
    /// The number of search processes.
    package var jobs = 1
    /// A divisible search that ends within this number of executions is not divided.
    package var executionsBeforeDivision = 10_100

    /// Makes, for each finding, the explainer that records the calls of the run that is shown. Nil: calls are not
    /// recorded.
    package var makeExplainer: () throws(SupervisionFailed) -> (any CallExplainer)? = {
        () throws(SupervisionFailed) in nil
    }

    /// A search for what the scenario expects, and for what it does not allow.
    package init(_ scenario: any Runnable) {
        self.scenario = scenario
        let expectation = scenario.expectation
        goal.harmless = expectation.allowed.contains(.completed) ? [.completed] : []
        goal.tolerated = Set(expectation.allowed).subtracting(expectation.findings)
        goal.sought = Set(expectation.findings)
        // If something else is sought too, a race, a lock order or a leak does not end the search.
        let lesser = goal.sought.intersection([.race, .lockOrder, .leak])
        if lesser != goal.sought { goal.lesser = lesser }
        goal.soughtStates = scenario.soughtStates.count
        goal.seeksStatesOnTheWay = scenario.seeksStatesOnTheWay
        goal.seenStates = { scenario.seenStates(of: $0) }
        scenario.adapt(&settings.rules)
        if scenario.judgesLockOrder {
            // In a search, an execution with locks taken in different orders completes: see `RandomRuns`.
            goal.harmless.insert(.completed)
            goal.sought.remove(.lockOrder)
        }
    }

    package var rules: Rules {
        get { settings.rules }
        set { settings.rules = newValue }
    }

    /// When a search that begins now must end.
    var searchEnd: Deadline { end.map { $0.at(most: time) } ?? Deadline(after: time) }

    /// The time limit of a run that reproduces a finding.
    var replayTime: UInt64 { stepTime + 1_000_000_000 }

    /// The units in which strategies take turns, each with a limited number of executions.
    var agenda: Agenda { Agenda(strategy, provers: provers, limit: executions) }

    /// The part of the program that the prover for its memory model does not support. Nil: none.
    var partWithoutProver: String? {
        rules.followedModel == .sc || strategy != nil || searchesStates ? nil : scenario.partWithoutGraph
    }

    /// Whether the search is divided into parts if it does not end soon.
    var isDivisible: Bool { hasParts && executions == .max && prefix.choices.isEmpty }

    /// Whether the strategy can search parts. A search of graphs that counts outcomes cannot: it counts a race once for
    /// each pair of events, and the same pair may occur in several parts.
    private var hasParts: Bool { strategy == .dpor || strategy == .graphs && !goal.countsTerminals }

    /// The agenda of a divisible search until it is divided.
    var agendaBeforeDivision: Agenda { Agenda(strategy, limit: executionsBeforeDivision) }

    /// The maximum number of parts. Many more than processors, because parts differ in size.
    package static let mostParts = 64

    /// The strategies that can prove something of the program. If it continues forever, its executions prove nothing,
    /// so a search by states, where one is possible, is the only prover.
    private var provers: [StrategyChoice] {
        // A search of graphs adds events in an order of its own, so it cannot follow a prefix.
        let hasGraphs = scenario.partWithoutGraph == nil && prefix.choices.isEmpty
        let ofExecutions: StrategyChoice? = rules.followedModel == .sc ? .dpor : hasGraphs ? .graphs : nil
        if searchesStates {
            return scenario.expectation.continuesForever ? [.states] : [ofExecutions, .states].compactMap(\.self)
        }
        // If a program cannot be searched by graphs, executing all its interleavings (dfs) proves it if it is small.
        return [ofExecutions ?? .dfs]
    }

    /// Whether a search by states can prove something. Under a weaker model, a state would be the whole past of an
    /// execution.
    private var searchesStates: Bool {
        scenario.hasStates && prefix.choices.isEmpty && StrategyChoice.states.follows(rules.followedModel)
    }
}

/// The progress of a search, for a line on the terminal.
package struct SearchProgress: Sendable {
    package let counts: SearchCounts
    package let findings: Int
    /// The number of distinct traces among random executions, and the probability that another one is new. Nil: there
    /// are no random executions.
    package let sample: (count: Int, chanceOfNew: Double)?
    /// The time so far, in nanoseconds.
    package let elapsed: UInt64
}
