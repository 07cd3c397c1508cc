import Machine

/// How far a run that a person steps through goes.
package struct StepPlan: Sendable {
    /// Which thread steps after the schedule's last choice.
    package enum Continuation: Equatable, Sendable {
        /// None: the run pauses there.
        case pause
        /// The thread that ran while it can, then the one with the lowest number, to the end.
        case byDefault
        /// A random one, to the end.
        case random(seed: UInt64)
    }

    package var schedule: Schedule
    package var then: Continuation

    package init(_ schedule: Schedule, then: Continuation = .pause) {
        self.schedule = schedule
        self.then = then
    }
}
