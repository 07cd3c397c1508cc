import Machine

/// A finding's schedule, made short.
package struct Shrunk: Equatable, Sendable {
    /// What is known about other schedules with the same result.
    package enum Minimality: String, Sendable {
        case unknown
        /// None has fewer preemptions.
        case preemptions
        /// None has fewer preemptions, and none with equally many has fewer steps.
        case steps
    }

    package let rehearsal: Rehearsal
    /// The cost of the schedule that was found.
    package let original: ScheduleCost
    package let minimality: Minimality

    package init(_ rehearsal: Rehearsal, original: ScheduleCost, _ minimality: Minimality) {
        self.rehearsal = rehearsal
        self.original = original
        self.minimality = minimality
    }

    package var schedule: Schedule { rehearsal.schedule }
    package var cost: ScheduleCost { rehearsal.cost }
}
