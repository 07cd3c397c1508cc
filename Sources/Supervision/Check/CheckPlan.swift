/// How much evidence to gather for each scenario.
package struct CheckPlan: Sendable {
    /// The maximum number of executions of a search under the scheduler. 0: no search.
    package var executions: Int
    /// The number of runs on real threads.
    package var nativeRuns: Int
    /// The seed of the search's random strategies.
    package var seed: UInt64
    /// The time limit for all executions and runs of one scenario, in nanoseconds of real time.
    package var time: UInt64
    /// Whether the traces of runs that are not allowed to end as they do are kept.
    package var keepsTraces = false
    /// Whether the search continues until it is a proof, even if it sees nothing new for a long time.
    package var needsProof = false

    package init(executions: Int, nativeRuns: Int, seed: UInt64, time: UInt64) {
        self.executions = executions
        self.nativeRuns = nativeRuns
        self.seed = seed
        self.time = time
    }

    /// For a scenario that the scheduler cannot run: without these runs nothing would be known of it.
    mutating func runOnlyOnRealThreads() {
        executions = 0
        nativeRuns = max(nativeRuns, Self.fewestNativeRuns)
    }

    private static let fewestNativeRuns = 3

    /// The share of the time for each requested runtime.
    var share: UInt64 { executions > 0 && nativeRuns > 0 ? time / 2 : time }
}
