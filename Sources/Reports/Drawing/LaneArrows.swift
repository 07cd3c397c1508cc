import Diagnosis
import Trace

/// The arrows of a drawing, from the events that let others happen. Both ends must have rows.
struct LaneArrows {
    private var finder = CauseFinder()
    private let rows: DrawingRows
    private let layout: DrawingLayout

    init(_ rows: DrawingRows, _ layout: DrawingLayout) {
        self.rows = rows
        self.layout = layout
    }

    mutating func consume(_ event: Event, _ index: Int, _ canvas: inout SVGCanvas) {
        finder.consume(event)
        for cause in finder.causes where cause.isHandOver {
            guard let end = rows.y(of: index), let start = rows.y(of: cause.event) else { continue }
            canvas.arrow(
                from: (layout.x(Int(cause.thread.index)), start), to: (layout.x(Int(event.thread.index)), end),
                isSignal: cause.kind == .signal || cause.kind == .change)
        }
    }
}
