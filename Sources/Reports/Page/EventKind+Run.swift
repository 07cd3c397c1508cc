import Trace

extension EventKind {
    /// Whether the event concerns the run as a whole, not one thread.
    var concernsRun: Bool {
        // It is a thread that calls `exit`.
        effect.end.map { $0 != .exit } ?? false
    }
}
