/// How much evidence is gathered of each scenario.
package struct CheckPlan: Sendable {
    /// The most executions of a search under the scheduler. 0: there is none.
    package var executions: Int
    /// How many runs on real threads.
    package var nativeRuns: Int
    /// The seed of the search's random strategies.
    package var seed: UInt64
    /// How long the executions and runs of one scenario may take together, in nanoseconds of real time.
    package var time: UInt64

    package init(executions: Int, nativeRuns: Int, seed: UInt64, time: UInt64) {
        self.executions = executions
        self.nativeRuns = nativeRuns
        self.seed = seed
        self.time = time
    }

    /// What each runtime that is asked for may take of the time.
    var share: UInt64 { executions > 0 && nativeRuns > 0 ? time / 2 : time }
}
