extension RunLoop {
    /// Why `run` returned.
    public enum Exit: String, Sendable {
        /// There was nothing to watch in this mode.
        case finished
        /// `stop` was called.
        case stopped
        /// The deadline had passed.
        case timedOut = "timed-out"
        /// An input source was handled: a custom source, a port, or a call from `perform`. A timer is not one.
        case handledSource = "handled-source"
    }
}
