/// One thread of the machine, as plain words.
public struct ThreadState: Sendable {
    public enum Status: UInt8, Sendable, BitwiseCopyable {
        /// Between two operations: its local code runs.
        case running
        /// Has announced `operation` and not taken it.
        case announced
        /// Blocked for a write lock that prefers writers: it has arrived there, and readers who come now wait behind it.
        /// `operation` is the request.
        case queued
        /// Inside a condition's wait, not woken yet. `operation` is the wait.
        case waiting
        /// Woken or out of time, and about to take its mutex again. `operation` is still the wait.
        case waking
        case ended
    }

    public var status: Status = .announced
    public var isDetached = false
    public var isJoined = false
    /// In a wait: whether it ends by a signal (or spuriously) and not by its deadline.
    public var wasWoken = false
    /// Whether something that it watches has been written.
    public var isStirred = false
    public var operation = Operation(.start)
    /// What has to happen before it can go on, in short.
    public var gate = Gate.open
    /// Order of arrival at a condition: waiters are listed first come first.
    public var ticket = 0
    /// What `join` yields.
    public var result = 0

    public init() {}

    /// Whether it is decided how a join of it goes.
    @inlinable @inline(__always) public var isSettled: Bool { status == .ended || isDetached || isJoined }
}
