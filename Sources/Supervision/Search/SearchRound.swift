import Trace

/// One of several searches of a compiled program, in which only some accesses of memory are steps. A search may find
/// out that other accesses must be steps too. Another round then searches the program with these steps.
///
/// A search that has found such accesses is repeated when it ends. A long search is also cut short for that reason,
/// because the missing steps may be the ones that show a failure. Whether such accesses were found is examined after a
/// number of executions that at least doubles each time, so less than half of the time is lost.
struct SearchRound {
    /// When the first round began.
    let begin = RecordingClock.nanoseconds()
    /// When the last round must end.
    let deadline: Deadline
    /// When a round must end after which another stage of the search may be necessary (`SearchPlan.isShort`).
    let half: Deadline
    /// Whether the round was cut short because other accesses must be steps.
    private(set) var isCut = false
    /// The number of executions after which the round is checked for new steps.
    private var due: Int

    /// The number of executions before the first check.
    private static let firstCheck = 1_000

    /// - Parameter isOnly: whether no round follows, so that this one is never checked for new steps.
    init(isOnly: Bool, until deadline: Deadline) {
        self.deadline = deadline
        half = deadline.at(most: deadline.left / 2)
        due = isOnly ? .max : Self.firstCheck
    }

    /// The round after this one.
    var next: SearchRound {
        var next = self
        next.isCut = false
        return next
    }

    mutating func cut() { isCut = true }

    /// Whether at least as much time is left as all rounds have taken.
    var hasTime: Bool { deadline.left >= RecordingClock.nanoseconds() - begin }

    /// Cuts the round short if it is to be checked after this number of executions, and accesses were missed as steps.
    mutating func cut(ifDueAfter executions: Int, _ hasMissedSteps: () -> Bool) {
        guard executions >= due else { return }
        due = 2 * executions
        isCut = hasMissedSteps()
    }
}
