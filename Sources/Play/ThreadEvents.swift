import Trace

/// Where each thread's events are in a trace, to find its next one.
struct ThreadEvents {
    private var places: [[Int]] = []

    init(_ trace: TraceDocument) {
        places = Array(repeating: [], count: trace.threads.count)
        for (place, event) in trace.events.enumerated() where !event.kind.concernsRunOnly {
            let thread = Int(event.thread.index)
            if places.indices.contains(thread) { places[thread].append(place) }
        }
    }

    /// The place of the thread's first event from this place on.
    func first(of thread: Int, from start: Int) -> Int? {
        guard places.indices.contains(thread) else { return nil }
        let own = places[thread]
        var low = 0
        var high = own.count
        while low < high {
            let middle = (low + high) / 2
            if own[middle] < start { low = middle + 1 } else { high = middle }
        }
        return low < own.count ? own[low] : nil
    }
}

extension EventKind {
    /// Whether the event says how the run ended, and nothing of its thread.
    fileprivate var concernsRunOnly: Bool {
        switch self {
        case .runComplete, .runTimeout, .runCycle, .runStepLimit, .runInterrupted, .runDiverged: true
        default: false
        }
    }
}
