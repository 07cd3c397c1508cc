import Diagnosis
import Trace

/// The arrows of a drawing, from the events that let others happen. Both ends must have rows.
struct LaneArrows {
    private var finder = CauseFinder()
    /// Where the rows of events are.
    private var places: [Int: (lane: Int, y: Int)] = [:]
    private let trace: TraceDocument
    private let layout: DrawingLayout

    init(_ trace: TraceDocument, layout: DrawingLayout) {
        self.trace = trace
        self.layout = layout
    }

    /// The row of an event.
    mutating func place(_ index: Int, at y: Int) { places[index] = (Int(trace.events[index].thread.index), y) }

    mutating func consume(_ event: Event, _ index: Int, _ canvas: inout SVGCanvas) {
        finder.consume(event)
        guard let end = places[index] else { return }
        for cause in finder.causes where cause.isHandOver {
            guard let start = places[cause.event] else { continue }
            canvas.arrow(
                from: (layout.x(start.lane), start.y), to: (layout.x(end.lane), end.y),
                isSignal: cause.kind == .signal || cause.kind == .change)
        }
    }
}
