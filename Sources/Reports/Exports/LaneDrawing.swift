import Diagnosis
import Trace

/// The lanes as a drawing for slides and handouts, in SVG: the rows of the lanes report, bands for waits, and arrows
/// from what lets a thread continue to where it does.
package struct LaneDrawing {
    private typealias State = LaneStates.State

    private let shown: ShownTrace
    private let layout: DrawingLayout
    private let rows: DrawingRows
    private let outcome: [OutcomeLine]

    /// A line of text below the lanes.
    private struct OutcomeLine {
        var text: String
        var indent = 0
        var style = SVGCanvas.TextStyle.plain
    }

    /// A longer drawing suits no page.
    private static let mostRows = 400

    /// - Parameter options: of these, which rows are shown, and whether with their source. Names are not made ASCII.
    package static func write(_ trace: TraceDocument, _ options: ReportOptions, to sink: inout ByteSink) {
        let drawing = LaneDrawing(trace, options)
        drawing.write(to: &sink)
    }

    private init(_ trace: TraceDocument, _ options: ReportOptions) {
        var options = options
        options.ascii = false
        if options.foldsCycles { options.mostRows = min(options.mostRows ?? Self.mostRows, Self.mostRows) }
        shown = ShownTrace(trace, options)
        var widest = (name: 0, text: 0)
        for index in shown.indices {
            let event = trace.events[index]
            widest.text = max(widest.text, shown.label(index).width)
            if !event.kind.concernsRun { widest.name = max(widest.name, shown.cast.thread(event.thread).width) }
        }
        layout = DrawingLayout(
            threads: shown.cast.threads.map(\.width), name: widest.name, text: widest.text, place: shown.places.width)
        rows = DrawingRows(shown.excerpt, layout)
        outcome = Self.outcomeLines(trace.outcome, shown.cast, columns: max(layout.columns(from: layout.margin), 40))
    }

    /// The layers are written one after the other, each in a walk of its own, so that the drawing is never in memory.
    private func write(to sink: inout ByteSink) {
        var canvas = SVGCanvas(sink)
        canvas.begin(
            width: layout.width, height: outcomeY(outcome.count) + layout.margin,
            title: shown.cast.label(shown.trace.header.scenario).text, story: story)
        for layer in SVGCanvas.Layer.allCases {
            canvas.begin(layer)
            writeRows(to: &canvas)
            writeOutcome(to: &canvas)
            canvas.endLayer()
        }
        canvas.finish()
        sink = canvas.sink
    }

    private var story: String { shown.trace.outcome.map { "\($0.kind.rawValue): \($0.summary)" } ?? "" }

    // MARK: - Rows

    private func writeRows(to canvas: inout SVGCanvas) {
        var lanes = LaneBands(LaneStates(shown.cast.threads.count), from: layout.top)
        var arrows = LaneArrows(rows, layout)
        writeHeads(to: &canvas)
        var next = 0
        var y = layout.top
        for part in shown.excerpt.parts {
            if case .rows(let rows) = part {
                for row in rows {
                    let index = shown.excerpt.events[row]
                    advance(&lanes, &arrows, from: &next, to: index, y: y, &canvas)
                    y += layout.rowHeight
                    advance(&lanes, &arrows, from: &next, to: index + 1, y: y, &canvas)
                    if canvas.layer == .marks { writeRow(row, at: y, to: &canvas) }
                }
            } else {
                y += layout.rowHeight
                canvas.text(part.note ?? "", x: layout.name, y: y, .note)
            }
        }
        advance(&lanes, &arrows, from: &next, to: shown.trace.events.count, y: y, &canvas)
        y += layout.rowHeight
        lanes.finish(at: y, layout, &canvas)
        if shown.trace.outcome?.kind == .deadlock {
            for lane in lanes.states.all.indices where lanes.states[lane] == .blocked {
                canvas.cross(x: layout.x(lane), y: y)
            }
            if lanes.states.all.contains(.blocked) { canvas.text("blocked forever", x: layout.name, y: y, .failure) }
        }
    }

    private func writeHeads(to canvas: inout SVGCanvas) {
        canvas.text(shown.cast.label(shown.trace.header.scenario).text, x: layout.margin, y: layout.margin + 12, .title)
        for (lane, name) in shown.cast.threads.enumerated() {
            canvas.text(
                name.clippedInMiddle(to: layout.headColumns, ascii: false).text, x: layout.x(lane), y: layout.top - 8,
                .head, lane: lane)
        }
    }

    private func writeRow(_ row: Int, at y: Int, to canvas: inout SVGCanvas) {
        let index = shown.excerpt.events[row]
        let event = shown.trace.events[index]
        let isFailure = event.kind.effect.isFailure
        canvas.text(String(row + 1), x: layout.number, y: y, .number)
        canvas.text(shown.label(index).text, x: layout.text, y: y, isFailure ? .failure : .plain)
        guard shown.isOfThread(index) else { return }
        let lane = Int(event.thread.index)
        canvas.text(shown.cast.thread(event.thread).text, x: layout.name, y: y, .name, lane: lane)
        canvas.text(shown.places[event.site].text, x: layout.place, y: y, .place)
        canvas.mark(x: layout.x(lane), y: y, shown.isMarked(row) ? .failure : StepMark(event.kind), lane: lane)
    }

    private func advance(
        _ lanes: inout LaneBands, _ arrows: inout LaneArrows, from next: inout Int, to index: Int, y: Int,
        _ canvas: inout SVGCanvas
    ) {
        while next < index {
            let event = shown.trace.events[next]
            if canvas.layer == .arrows { arrows.consume(event, next, &canvas) }
            let lane = Int(event.thread.index)
            if shown.isOfThread(next), shown.showsState(next), lane < lanes.states.all.count {
                lanes.apply(event, lane, at: y, layout, &canvas)
            }
            next += 1
        }
    }

    // MARK: - The end

    private static func outcomeLines(_ outcome: Outcome?, _ cast: Cast, columns: Int) -> [OutcomeLine] {
        guard let outcome else { return [] }
        let head = cast.label("\(outcome.kind.rawValue): \(outcome.summary)").pieces(within: columns)
        let style: SVGCanvas.TextStyle = outcome.kind == .completed ? .good : .failure
        let first = head.map { OutcomeLine(text: $0.text, style: style) }
        return outcome.details.reduce(into: first) { lines, detail in
            let pieces = cast.label(detail).pieces(within: columns - 2)
            lines += pieces.map { OutcomeLine(text: $0.text, indent: 14) }
        }
    }

    /// Where that many lines end.
    private func outcomeY(_ lines: Int) -> Int {
        lines == 0 ? rows.end : rows.end + layout.rowHeight / 2 + lines * layout.rowHeight
    }

    private func writeOutcome(to canvas: inout SVGCanvas) {
        for (index, line) in outcome.enumerated() {
            canvas.text(line.text, x: layout.margin + line.indent, y: outcomeY(index + 1), line.style)
        }
    }
}

/// The lanes of a drawing: a line where the thread could run, a band where it waits.
struct LaneBands {
    private(set) var states: LaneStates
    /// Where the present state of each lane began.
    private var begins: [Int]

    init(_ states: LaneStates, from y: Int) {
        self.states = states
        begins = Array(repeating: y, count: states.all.count)
    }

    mutating func apply(_ event: Event, _ lane: Int, at y: Int, _ layout: DrawingLayout, _ canvas: inout SVGCanvas) {
        let before = states[lane]
        states.apply(event, lane)
        guard states[lane] != before else { return }
        draw(before, lane, to: y, layout, &canvas)
        begins[lane] = y
    }

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
