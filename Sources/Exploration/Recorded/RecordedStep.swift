import Trace

/// An event of a native run that represents a step, or a thread's end.
///
/// Its place in the trace is where it was recorded. When it happened is known less precisely: a release is recorded
/// just before it happens, and most other operations just after. Reads and writes of memory are in the order of their
/// values, which was determined when the trace was made.
struct RecordedStep {
    let event: Event
    /// In the trace, from 0.
    let index: Int
    /// When to take it. Even numbers are the places of the trace's events, odd ones lie between.
    var place: Int
    /// Bounds of when it happened: the places of the thread's own steps before or after, where its own is none.
    var earliest: Int
    var latest: Int

    init(_ event: Event, index: Int) {
        self.event = event
        self.index = index
        place = 2 * index
        earliest = place
        latest = place
    }

    var kind: EventKind { event.kind }
    var effect: Effect { event.kind.effect }
}
