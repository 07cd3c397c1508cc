import Trace

/// One of several searches for the same, each with more steps than the one before: of compiled programs it is only seen on the way which
/// accesses of memory are steps.
///
/// A search that has ended is repeated if it has shown steps that were none in it. One that takes longer is also cut for that, each time
/// after at least twice as many executions: what is missing in it could be what is sought, and less than half of the time is spent twice.
struct SearchRound {
    /// When the first of them began.
    let begin = RecordingClock.nanoseconds()
    /// When the last of them is over; and when half of the time is, after which another search may be needed (`SearchPlan.isShort`).
    let deadline: Deadline
    let half: Deadline
    /// Whether it is over because there are more steps.
    private(set) var isCut = false
    /// The number of executions after which that is looked for.
    private var due: Int

    /// - Parameter isOnly: it is not cut.
    init(isOnly: Bool, until deadline: Deadline) {
        self.deadline = deadline
        half = deadline.at(most: deadline.left / 2)
        due = isOnly ? .max : 1_000
    }

    /// The next one.
    var next: SearchRound {
        var next = self
        next.isCut = false
        return next
    }

    mutating func cut() { isCut = true }

    /// Whether at least as much time is left as was taken.
    var hasTime: Bool { deadline.left >= RecordingClock.nanoseconds() - begin }

    mutating func cut(ifDueAfter executions: Int, _ hasMissedSteps: () -> Bool) {
        guard executions >= due else { return }
        due = 2 * executions
        isCut = hasMissedSteps()
    }
}
