import Trace

extension TraceDocument {
    /// How many of the events are the run's own. What follows them is said of what the process left behind, and no thread
    /// says it.
    var runLength: Int { events.firstIndex { $0.kind == .runComplete }.map { $0 + 1 } ?? events.count }
}
