import Authoring
import Exploration
import Machine

/// What to search, how, and for how long.
package struct SearchPlan {
    /// Configured: its parameters are set.
    package var scenario: any Runnable
    /// Nil: a prover together with a portfolio of random strategies.
    package var strategy: StrategyChoice?
    package var settings = StrategySettings()
    package var goal = SearchGoal()
    /// The choices with which every execution begins: only what comes after them is searched.
    package var prefix = Schedule()
    /// The maximum number of executions.
    package var executions = Int.max
    /// The time limit of the search, in nanoseconds.
    package var time = UsualTime.search
    /// The moment at which the command is over, of which the search is a part, with all that shrinks, repeats and explains its findings.
    /// Nil: it has none, and that may take as long as the search.
    package var end: Deadline?
    /// The limit for computing between two steps, in nanoseconds of processor time.
    package var stepTime = UsualTime.step
    /// The limit for the memory of each search process, in bytes. Nil: none.
    package var memory: Int?
    /// What is searched after it, if it matters to the program: see `StagedSearch`.
    package var freedoms: [WiderSearch.Freedom] = []
    /// Whether the limit of steps is raised if no execution ends within it.
    package var raisesSteps = false
    /// The findings that have been explained before.
    var told: Set<Counterexample.Identity> = []
    /// The number of search processes.
    package var jobs = 1
    /// A search by partial orders that is over after fewer executions is not divided.
    package var executionsBeforeDivision = 10_100

    /// For each finding, what notes the calls of the execution that is shown. Nil: nothing does.
    package var makeExplainer: () throws(SupervisionFailed) -> (any CallExplainer)? = {
        () throws(SupervisionFailed) in nil
    }

    /// Searches for what the scenario expects, and for what it does not allow.
    package init(_ scenario: any Runnable) {
        self.scenario = scenario
        let expectation = scenario.expectation
        goal.harmless = expectation.allowed.contains(.completed) ? [.completed] : []
        goal.tolerated = Set(expectation.allowed).subtracting(expectation.findings)
        goal.sought = Set(expectation.findings)
        let lesser = goal.sought.intersection([.race, .lockOrder, .leak])
        if lesser != goal.sought { goal.lesser = lesser }
        goal.soughtStates = scenario.soughtStates.count
        goal.seeksStatesOnTheWay = scenario.seeksStatesOnTheWay
        goal.seenStates = { scenario.seenStates(of: $0) }
        scenario.adapt(&settings.rules)
        if scenario.judgesLockOrder {
            // To a search, such an execution completes: see `RandomRuns`.
            goal.harmless.insert(.completed)
            goal.sought.remove(.lockOrder)
        }
    }

    package var rules: Rules {
        get { settings.rules }
        set { settings.rules = newValue }
    }

    /// The moment at which the search is over that begins now.
    var searchEnd: Deadline { end.map { $0.at(most: time) } ?? Deadline(after: time) }

    /// The time limit of a run that reproduces a finding.
    var replayTime: UInt64 { stepTime + 1_000_000_000 }

    var agenda: Agenda { Agenda(strategy, provers: provers, limit: executions) }

    /// What in the program the prover of its memory model cannot take. Nil: nothing.
    var partWithoutProver: String? {
        rules.followedModel == .sc || strategy != nil || searchesStates ? nil : scenario.hasNoGraph
    }

    /// Whether the search is divided into parts, if it is not over soon.
    var isDivisible: Bool { hasParts && executions == .max && prefix.choices.isEmpty }

    /// Not a search of graphs that counts outcomes: it counts a race once for each two events, of which several parts may have both.
    private var hasParts: Bool { strategy == .dpor || strategy == .graphs && !goal.countsTerminals }

    /// The work of a divisible search before it is divided.
    var agendaBeforeDivision: Agenda { Agenda(strategy, limit: executionsBeforeDivision) }

    /// The maximum number of parts: many more than processors, because they differ in size.
    package static let mostParts = 64

    /// Of a program that continues forever, executions prove nothing.
    private var provers: [StrategyChoice] {
        // A search of graphs has no first steps: it takes events in an order of its own.
        let hasGraphs = scenario.hasNoGraph == nil && prefix.choices.isEmpty
        let ofExecutions: StrategyChoice? = rules.followedModel == .sc ? .dpor : hasGraphs ? .graphs : nil
        if searchesStates {
            return scenario.expectation.continuesForever ? [.states] : [ofExecutions, .states].compactMap(\.self)
        }
        // What has no graphs has a machine, whose executions can be tried one by one: a small program is proved so.
        return [ofExecutions ?? .dfs]
    }

    /// Whether states can prove something. Under rc11 a state would be the whole past of an execution.
    private var searchesStates: Bool {
        scenario.hasStates && prefix.choices.isEmpty && StrategyChoice.states.follows(rules.followedModel)
    }
}

/// The progress of a search.
package struct SearchProgress: Sendable {
    package let counts: SearchCounts
    package let findings: Int
    /// The number of distinct traces among random executions, and the probability that another one is new. Nil: too few
    /// executions.
    package let sample: (count: Int, chanceOfNew: Double)?
    /// In nanoseconds.
    package let elapsed: UInt64
}
