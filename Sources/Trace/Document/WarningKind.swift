/// What a run can show apart from how it ended. The raw value is the stable name that scripts, `expect` lines and
/// `explain` use.
public enum WarningKind: String, CaseIterable, Sendable {
    /// Locks taken in different orders: a deadlock that did not happen in this run.
    case lockOrder = "lock-order"
    /// A value that is not the newest, as a weaker memory model allows.
    case weakMemory = "weak-memory"
    case lostWakeUp = "lost-wake-up"
    case waitWithoutLoop = "wait-without-loop"
    /// What waiters of a condition test was changed without its mutex.
    case unguardedPredicate = "unguarded-predicate"
    case starvation
    case priorityInversion = "priority-inversion"
    case heldWhileBlocked = "held-while-blocked"
    case heldTooLong = "held-too-long"
    case contention
    /// A lock taken in a signal handler.
    case lockInHandler = "lock-in-handler"
    /// A thread terminated by the end of the process.
    case cutOff = "cut-off"
}
