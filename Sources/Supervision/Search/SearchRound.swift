import Trace

/// One of several searches of a compiled program. Which accesses of memory are steps becomes known only during a
/// search, so each round has more steps than the one before.
///
/// A search is repeated if, in the end, it has found accesses that should have been steps. A long search is also cut
/// for that reason, each time after at least twice as many executions: what it lacks could be what is sought, and less
/// than half of the time is spent twice.
struct SearchRound {
    /// When the first round began.
    let begin = RecordingClock.nanoseconds()
    /// When the last round must end; `half`: when half of the time is over, after which another search may be needed
    /// (`SearchPlan.isShort`).
    let deadline: Deadline
    let half: Deadline
    /// Whether the round ended because there are more steps.
    private(set) var isCut = false
    /// The number of executions after which the round is checked for new steps.
    private var due: Int

    /// - Parameter isOnly: whether the round is never cut.
    init(isOnly: Bool, until deadline: Deadline) {
        self.deadline = deadline
        half = deadline.at(most: deadline.left / 2)
        due = isOnly ? .max : 1_000
    }

    var next: SearchRound {
        var next = self
        next.isCut = false
        return next
    }

    mutating func cut() { isCut = true }

    /// Whether at least as much time is left as all rounds have taken.
    var hasTime: Bool { deadline.left >= RecordingClock.nanoseconds() - begin }

    mutating func cut(ifDueAfter executions: Int, _ hasMissedSteps: () -> Bool) {
        guard executions >= due else { return }
        due = 2 * executions
        isCut = hasMissedSteps()
    }
}
