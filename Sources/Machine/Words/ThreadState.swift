/// One thread of the machine, as plain words.
package struct ThreadState: Sendable, Equatable, BitwiseCopyable {
    package enum Status: UInt8, Sendable, BitwiseCopyable {
        /// Between two operations: its local code runs.
        case running
        /// Has announced `operation` and not taken it.
        case announced
        /// A writer in the queue of a lock that prefers writers: readers that arrive now wait behind it. `operation` is
        /// its request.
        case queued
        /// Inside a condition's wait, not woken yet. `operation` is the wait.
        case waiting
        /// Woken or out of time, and about to reacquire its mutex. `operation` is still the wait.
        case waking
        case ended
    }

    package var status: Status = .announced
    package var isDetached = false
    package var isJoined = false
    /// Whether a signal or a spurious wake-up, rather than its deadline, ended the wait.
    package var wasWoken = false
    /// Whether something that the thread watches has been written.
    package var isStirred = false
    package var operation = Operation(.start)
    /// What blocks the thread's next step, in one word.
    package var gate = Gate.open
    /// Of two threads that wait on a condition, the one with the lower ticket arrived first.
    package var ticket = 0
    /// How many objects the thread has made in this execution.
    package var objectsMade = 0
    /// What `join` returns.
    package var result = 0

    package init() {}

    /// What a join or a detach finds.
    package var life: ThreadLife {
        isDetached ? .detached : isJoined ? .joined : status == .ended ? .ended : .alive
    }

    /// Whether the result of a join with the thread is decided.
    @inline(always) package var isSettled: Bool { status == .ended || isDetached || isJoined }
}
