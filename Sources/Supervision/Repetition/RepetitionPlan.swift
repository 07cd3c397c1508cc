import Authoring
import Machine

/// Many controlled runs of a scenario, each with the next seed.
package struct RepetitionPlan {
    /// Configured: its parameters are set.
    package var scenario: any Runnable
    package var rules: Rules
    /// The seed of the first run.
    package var seed: UInt64
    package var count: Int
    /// The time limit of a run, in nanoseconds in which it computes or sleeps.
    package var timeout: UInt64
    /// The number of processes.
    package var jobs: Int

    package init(_ scenario: any Runnable, rules: Rules, seed: UInt64, count: Int, timeout: UInt64, jobs: Int) {
        self.scenario = scenario
        self.rules = rules
        self.seed = seed
        self.count = count
        self.timeout = timeout
        self.jobs = jobs
    }

    /// The plan of one of the runs by itself.
    ///
    /// - Parameter number: the number of the run, from 0.
    package func run(_ number: Int) -> RunPlan {
        RunPlan(scenario, .controlled(seed: seed &+ UInt64(number)), timeout: timeout, rules: rules)
    }
}
