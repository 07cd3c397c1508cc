import Trace

extension TraceDocument {
    /// The number of events of the run itself. Later events are from the review of what the process left behind, and
    /// belong to no thread.
    var runLength: Int { events.firstIndex { $0.kind == .runComplete }.map { $0 + 1 } ?? events.count }
}
