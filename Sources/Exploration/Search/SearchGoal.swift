import Machine
import Trace

/// What the search is for.
package struct SearchGoal: Sendable {
    /// Endings that need not be reported.
    package var harmless: Set<OutcomeKind> = [.completed]
    /// Ends that are told, and do not end the search: other executions are what it is for.
    package var tolerated: Set<OutcomeKind> = []
    /// Findings after which the search continues, because a graver one is promised: a race is why, and what comes of it is more telling.
    package var lesser: Set<OutcomeKind> = []
    /// Whether it continues after a finding.
    package var keepsGoing = false
    /// Whether terminal states are counted.
    package var countsTerminals = false

    /// Whether it matters if waits could have ended without a signal once more.
    package var countsSpurious = false

    /// How many states some execution must end in, and which of them the last execution of a subject, which completed, did.
    package var soughtStates = 0
    package var seenStates: @Sendable (any Subject) -> [Int] = { _ in [] }
    /// How executions must end: each so in some execution.
    package var sought: Set<OutcomeKind> = []
    /// If an end is sought, and all that is sought was seen, the search ends after so many executions that show nothing new.
    /// Nil: it continues.
    package var longestQuiet: Int?

    package init() {}

    func ends(at kind: OutcomeKind) -> Bool { !keepsGoing && !tolerated.contains(kind) && !lesser.contains(kind) }
}
