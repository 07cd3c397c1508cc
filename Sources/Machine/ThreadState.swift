/// One thread of the machine, as plain words.
package struct ThreadState {
    package enum Status: UInt8 {
        /// Between two operations: its local code runs.
        case running
        /// Has announced `operation` and not taken it.
        case announced
        /// Inside a condition's wait, not woken yet. `operation` is the wait.
        case waiting
        /// Woken, and about to take its mutex again. `operation` is still the wait.
        case waking
        case ended
    }

    package var status: Status = .announced
    package var isDetached = false
    package var isJoined = false
    /// In a wait: whether it ends by a signal (or spuriously) and not by its deadline.
    package var wasWoken = false
    package var operation = Operation(.start)
    /// Order of arrival at a condition: waiters are listed first come first.
    package var ticket = 0
    /// How many times a recursive mutex was held when its owner began to wait.
    package var savedCount: Int32 = 0
    /// What `join` yields.
    package var result = 0

    package init() {}
}
