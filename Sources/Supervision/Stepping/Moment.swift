import Machine

/// What could happen at one decision of a controlled run, as the machine ruled then.
package struct Moment: Equatable, Sendable {
    /// One thread at this moment.
    package struct Thread: Equatable, Sendable {
        package var status: ThreadState.Status
        package var isEnabled: Bool
        /// What its next step does; of a thread that is blocked, what it would do once it can.
        package var act: Act
        /// The number of alternatives of the step: see `MachineState.alternatives`.
        package var ways: Int
        /// If the step wakes one of several waiters: the waiters, by alternative.
        package var waiters: [Int]
    }

    /// The number of the schedule's choices before it.
    package var choices: Int
    /// The number of the run's events before it.
    package var events: Int
    /// Nothing can happen but that a wait ends without a signal: the choice is whether one does (1) or not (0).
    package var isQuiet: Bool
    /// By number.
    package var threads: [Thread]

    /// The threads that can step.
    package var enabled: [Int] { threads.indices.filter { threads[$0].isEnabled } }
}
