import Exploration
import Machine
import Scenarios

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

    package init(_ scenario: any Runnable) { self.scenario = scenario }

    package var rules: Rules {
        get { settings.rules }
        set { settings.rules = newValue }
    }

    /// How long a run may take that is to show what a search has found.
    var replayTime: UInt64 { stepTime + 1_000_000_000 }

    var agenda: Agenda { Agenda(strategy, limit: executions) }
}
