/// How much evidence is gathered of each scenario.
package struct CheckPlan: Sendable {
    /// How many runs under the scheduler.
    package var controlledRuns: Int
    /// How many runs on real threads.
    package var nativeRuns: Int
    /// The seed of the first controlled run. Each further run has the next one.
    package var seed: UInt64
    /// How long the runs of one scenario may take together, in nanoseconds of real time.
    package var time: UInt64
    package var maximumSteps: Int

    package init(
        controlledRuns: Int, nativeRuns: Int, seed: UInt64, time: UInt64,
        maximumSteps: Int = RunPlan.defaultMaximumSteps
    ) {
        self.controlledRuns = controlledRuns
        self.nativeRuns = nativeRuns
        self.seed = seed
        self.time = time
        self.maximumSteps = maximumSteps
    }

    /// What each runtime that is asked for may take of the time.
    var share: UInt64 { controlledRuns > 0 && nativeRuns > 0 ? time / 2 : time }
}
