import Authoring
import Exploration
import Machine

/// What is to be searched, how, and for how long.
package struct SearchPlan {
    /// Configured: its parameters are set.
    package var scenario: any Runnable
    /// Nil: a prover, and a portfolio beside it.
    package var strategy: StrategyChoice?
    package var settings = StrategySettings()
    package var goal = SearchGoal()
    /// The most executions.
    package var executions = Int.max
    /// How long the search may take, in nanoseconds.
    package var time: UInt64 = 10_000_000_000
    /// How long a thread may compute from one step to the next, in nanoseconds of the processor.
    package var stepTime: UInt64 = 1_000_000_000
    /// How many processes search.
    package var jobs = 1

    /// Looks for what the scenario states of itself, and for what it does not allow.
    package init(_ scenario: any Runnable) {
        self.scenario = scenario
        let expectation = scenario.expectation
        goal.harmless = expectation.allowed.contains(.completed) ? [.completed] : []
        goal.tolerated = Set(expectation.allowed).subtracting(expectation.findings)
        goal.sought = Set(expectation.findings)
        let lesser = goal.sought.intersection([.race, .lockOrder, .leak])
        if lesser != goal.sought { goal.lesser = lesser }
        goal.soughtStates = scenario.soughtStates.count
        goal.seenStates = { scenario.seenStates(of: $0) }
        if scenario.judgesLockOrder {
            // Such an execution completes, as far as a search can tell: see `RandomRuns`.
            goal.harmless.insert(.completed)
            goal.sought.remove(.lockOrder)
        }
    }

    package var rules: Rules {
        get { settings.rules }
        set { settings.rules = newValue }
    }

    /// How long a run may take that is to show what a search has found.
    var replayTime: UInt64 { stepTime + 1_000_000_000 }

    var agenda: Agenda { Agenda(strategy, limit: executions) }
}
