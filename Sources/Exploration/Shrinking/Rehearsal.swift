import Machine

/// The result of an execution that followed a plan as far as possible.
package struct Rehearsal: Equatable, Sendable {
    /// How it ended. Nil: it was cut off.
    package let end: Counterexample.Identity?
    /// The choices that were made.
    package let schedule: Schedule
    package let cost: ScheduleCost

    package init(_ end: Counterexample.Identity?, _ schedule: Schedule, _ cost: ScheduleCost) {
        self.end = end
        self.schedule = schedule
        self.cost = cost
    }
}
