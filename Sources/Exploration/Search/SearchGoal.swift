import Machine
import Trace

/// What the search is for.
package struct SearchGoal: Sendable {
    /// Endings that are not reported.
    package var harmless: Set<OutcomeKind> = [.completed]
    /// Endings that are reported and do not end the search: it looks for other ones.
    package var tolerated: Set<OutcomeKind> = []
    /// Findings after which the search continues, because a graver one is expected: a race is the cause, and its
    /// consequence says more.
    package var lesser: Set<OutcomeKind> = []
    /// Whether it continues after a finding.
    package var keepsGoing = false
    /// Whether terminal states are counted.
    package var countsTerminals = false

    /// Whether it matters that further waits could have ended without a signal.
    package var countsSpurious = false

    /// The number of states that executions must reach, and those that the last execution of a subject, which
    /// completed, ended in.
    package var soughtStates = 0
    package var seenStates: @Sendable (any Subject) -> [Int] = { _ in [] }
    /// The endings that must occur, each in some execution.
    package var sought: Set<OutcomeKind> = []
    /// If endings are sought and all have been seen, the search ends after this number of executions that show nothing
    /// new. Nil: it continues.
    package var longestQuiet: Int?

    package init() {}

    func ends(at kind: OutcomeKind) -> Bool { !keepsGoing && !tolerated.contains(kind) && !lesser.contains(kind) }
}
