import Trace

/// The model of a run that every view shows: the state of threads and objects after each of its events.
///
/// States are derived from the events. Every state at a multiple of `stride` events is kept; any other is derived from
/// the kept one before it, so a step back does not have to begin at the start of the run.
package struct RunModel {
    package let trace: TraceDocument
    private let kept: [RunMoment]
    /// The number of events between two states that are kept.
    private let stride: Int

    /// The minimum of `stride`.
    private static let leastStride = 64
    /// The maximum number of kept states, besides the initial one. If the states are large, fewer are kept.
    private static let mostKept = 256
    /// The memory for all kept states, in bytes.
    private static let memory = 1 << 27
    /// The approximate memory of a state for each of its threads and each of its objects, in bytes.
    private static let bytesOfThread = 512
    private static let bytesOfObject = 128

    package init(_ trace: TraceDocument) {
        self.trace = trace
        let count = trace.events.count
        let size = trace.threads.count * Self.bytesOfThread + trace.objects.count * Self.bytesOfObject
        let limit = min(Self.mostKept, max(2, Self.memory / max(1, size)))
        stride = max(Self.leastStride, (count + limit - 1) / limit)
        var state = RunMoment(threads: trace.threads.count, objects: trace.objects.count, Beginning(of: trace))
        var kept = [state]
        for event in trace.events {
            state.consume(event)
            if state.position % stride == 0 { kept.append(state) }
        }
        self.kept = kept
    }

    /// The state before the first event.
    package var start: RunMoment { kept[0] }

    /// The state after the first `count` events. A number outside the run is clamped to it.
    package func state(after count: Int) -> RunMoment {
        let count = min(max(count, 0), trace.events.count)
        var state = kept[count / stride]
        while state.position < count { advance(&state) }
        return state
    }

    /// Applies the next event to a state of this run. Does nothing at the run's end.
    package func advance(_ state: inout RunMoment) {
        guard trace.events.indices.contains(state.position) else { return }
        state.consume(trace.events[state.position])
    }
}
