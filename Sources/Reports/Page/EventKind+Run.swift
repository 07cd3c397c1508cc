import Trace

extension EventKind {
    /// Whether the event concerns the run as a whole, not one thread.
    var concernsRun: Bool {
        switch effect {
        // It is a thread that calls `exit`.
        case .endRun(.exit): false
        case .endRun: true
        default: false
        }
    }
}
