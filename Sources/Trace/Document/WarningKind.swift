/// A finding that a run can show in addition to how it ended. The raw value is the stable name in scripts, `expect`
/// lines and `threadlab explain`.
public enum WarningKind: String, CaseIterable, Sendable {
    /// Locks taken in different orders: a deadlock that did not happen in this run.
    case lockOrder = "lock-order"
    /// A read of a value that is not the newest, which a weaker memory model allows.
    case weakMemory = "weak-memory"
    /// A signal that came before a thread waited for it, and so did not wake that thread.
    case lostWakeUp = "lost-wake-up"
    /// A thread that continued after a wait for a condition without testing its predicate again.
    case waitWithoutLoop = "wait-without-loop"
    /// The predicate of a condition's waiters was changed without the condition's mutex.
    case unguardedPredicate = "unguarded-predicate"
    case starvation
    case priorityInversion = "priority-inversion"
    case heldWhileBlocked = "held-while-blocked"
    case heldTooLong = "held-too-long"
    case contention
    /// A lock taken in a signal handler.
    case lockInHandler = "lock-in-handler"
    /// A thread that was cut off by the end of the process.
    case cutOff = "cut-off"
}
