import Trace

extension EventKind {
    /// Whether it happened to the run as a whole, and not in one thread's lane.
    var concernsRun: Bool {
        switch effect {
        // It is a thread that calls `exit`.
        case .endRun(.exit): false
        case .endRun: true
        default: false
        }
    }
}
