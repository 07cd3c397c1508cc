import Diagnosis
import Trace

/// Draws the lanes of a drawing: in each lane a line where the thread could run, and a band where it waits.
struct LaneBands {
    private(set) var states: LaneStates
    /// The place where the current state of each lane began.
    private var begins: [Int]

    init(_ states: LaneStates, from y: Int) {
        self.states = states
        begins = Array(repeating: y, count: states.all.count)
    }

    /// Applies an event of the lane's thread, and draws the line or band that ends with it.
    mutating func apply(_ event: Event, _ lane: Int, at y: Int, _ layout: DrawingLayout, _ canvas: inout SVGCanvas) {
        let before = states[lane]
        states.apply(event, lane)
        guard states[lane] != before else { return }
        draw(before, lane, to: y, layout, &canvas)
        begins[lane] = y
    }

    /// Draws the last line or band of each lane.
    mutating func finish(at y: Int, _ layout: DrawingLayout, _ canvas: inout SVGCanvas) {
        for lane in begins.indices { draw(states[lane], lane, to: y, layout, &canvas) }
    }

    private func draw(
        _ state: LaneStates.State, _ lane: Int, to y: Int, _ layout: DrawingLayout, _ canvas: inout SVGCanvas
    ) {
        guard state != .absent, y > begins[lane] else { return }
        canvas.lane(x: layout.x(lane), from: begins[lane], to: y, isBlocked: state == .blocked)
    }
}

/// Draws the arrows of a drawing: from an event to the event of another thread that it made possible (`Cause`). An
/// arrow is drawn only if both events have rows.
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
        for cause in finder.causes where cause.isShown {
            guard let end = rows.y(of: index), let start = rows.y(of: cause.event) else { continue }
            canvas.arrow(
                from: (layout.x(Int(cause.thread.index)), start), to: (layout.x(Int(event.thread.index)), end),
                isDashed: cause.kind == .signal || cause.kind == .change || cause.kind == .olderSource)
        }
    }
}
