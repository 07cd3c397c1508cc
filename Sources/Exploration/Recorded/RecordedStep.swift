import Trace

/// An event of a run on real threads that stands for a step, or for a thread's end.
///
/// Its place in the trace is where it was recorded. When it happened is known less well: an operation that gives something away is
/// recorded just before, and most others just after. Reads and writes of memory stand in the order of their values, which
/// was settled when the trace was made.
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

extension Effect {
    /// Whether the thread only found that it could not have something. It may find so at any moment at which that is true.
    var isRefusal: Bool { if case .refuse = self { true } else { false } }
}
