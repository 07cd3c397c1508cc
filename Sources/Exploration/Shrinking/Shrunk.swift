import Machine

/// A finding's schedule after shrinking.
package struct Shrunk: Equatable, Sendable {
    /// What is known about all schedules that lead to the same finding.
    package enum Minimality: String, Sendable {
        case unknown
        /// None has fewer preemptions.
        case preemptions
        /// None has fewer preemptions, or equally many and fewer steps.
        case steps
    }

    package let rehearsal: Rehearsal
    /// The cost of the schedule before shrinking.
    package let original: ScheduleCost
    package let minimality: Minimality
    /// The step limit under which its execution ends like this. Nil: the step limit of the search.
    package let limit: Int?
    /// Whether there might be a cheaper schedule, which was not looked for because the time was over.
    package let endedByTime: Bool

    package init(
        _ rehearsal: Rehearsal, original: ScheduleCost, _ minimality: Minimality, limit: Int? = nil,
        endedByTime: Bool = false
    ) {
        self.rehearsal = rehearsal
        self.original = original
        self.minimality = minimality
        self.limit = limit
        self.endedByTime = endedByTime
    }

    /// The same finding with the schedule cut to `limit` steps, as an execution under that step limit. Its minimality
    /// is unknown, because fewer preemptions may lead to the limit.
    package func with(limit: Int?) -> Shrunk {
        guard let limit else { return self }
        let beginning = Rehearsal(rehearsal.end, rehearsal.schedule.prefix(steps: limit), rehearsal.cost)
        return Shrunk(beginning, original: original, .unknown, limit: limit, endedByTime: endedByTime)
    }

    package var schedule: Schedule { rehearsal.schedule }
    package var cost: ScheduleCost { rehearsal.cost }
}

/// How hard a schedule is for a reader to follow: preemptions count first, then steps.
package struct ScheduleCost: Comparable, Sendable {
    /// Switches away from a thread that could have continued and did not yield.
    package let preemptions: Int
    package let steps: Int

    package init(preemptions: Int, steps: Int) {
        self.preemptions = preemptions
        self.steps = steps
    }

    package static func < (a: Self, b: Self) -> Bool { (a.preemptions, a.steps) < (b.preemptions, b.steps) }
}

/// Counts an execution's preemptions: switches from a thread that could have continued and did not yield.
package final class PreemptionCount: Observer {
    private let count: UnsafeMutablePointer<Int>
    private var hasYielded = false

    /// - Parameter count: the counter, which another process may read.
    package init(into count: UnsafeMutablePointer<Int>) { self.count = count }

    package func begin() {
        count.pointee = 0
        hasYielded = false
    }

    package func willTake(_ step: NextStep) {
        if step.thread != step.last && !hasYielded && step.state.isEnabled(step.last) { count.pointee += 1 }
        hasYielded = step.ruling.act == .yield
    }
}
