/// One thread of the machine, as plain words.
package struct ThreadState: Sendable, Equatable, BitwiseCopyable {
    package enum Status: UInt8, Sendable, BitwiseCopyable {
        /// Between two operations: its local code runs.
        case running
        /// Has announced `operation` and not taken it.
        case announced
        /// Blocked on a write lock that prefers writers: readers that arrive now wait behind it.
        /// `operation` is the request.
        case queued
        /// Inside a condition's wait, not woken yet. `operation` is the wait.
        case waiting
        /// Woken or out of time, and about to take its mutex again. `operation` is still the wait.
        case waking
        case ended
    }

    package var status: Status = .announced
    package var isDetached = false
    package var isJoined = false
    /// For a wait: whether it ends by a signal (or spuriously), not by its deadline.
    package var wasWoken = false
    /// Whether something that it watches has been written.
    package var isStirred = false
    package var operation = Operation(.start)
    /// What has to happen before it can continue, in one word.
    package var gate = Gate.open
    /// The order of arrival at a condition, in which waiters are listed.
    package var ticket = 0
    /// How many objects it has made.
    package var objectsMade = 0
    /// What `join` returns.
    package var result = 0

    package init() {}

    /// What a join or a detach finds.
    package var life: ThreadLife {
        isDetached ? .detached : isJoined ? .joined : status == .ended ? .ended : .alive
    }

    /// Whether the result of a join with it is decided.
    @inline(always) package var isSettled: Bool { status == .ended || isDetached || isJoined }
}
