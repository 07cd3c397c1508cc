import Diagnosis
import Trace

/// The lanes as a drawing for slides and handouts, in SVG: the rows of the lanes report, bands for waits, and arrows
/// from what lets a thread continue to where it does.
package struct LaneDrawing {
    private typealias State = LaneStates.State

    private let trace: TraceDocument
    private let options: ReportOptions
    private let cast: Cast
    private let words: StepWords
    private let excerpt: RowExcerpt
    private let places: RowPlaces
    private let layout: DrawingLayout
    private let runLength: Int

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
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
        words = StepWords(cast: cast)
        runLength = trace.runLength
        excerpt = RowExcerpt(trace, options) { trace.isShown($0) && $0.kind != .runComplete }
        places = RowPlaces(trace, excerpt, options)
        var widest = (name: 0, text: 0)
        for event in excerpt.shown(trace) {
            widest.text = max(widest.text, words.label(event).width)
            if !event.kind.concernsRun { widest.name = max(widest.name, cast.thread(event.thread).width) }
        }
        layout = DrawingLayout(
            threads: cast.threads.map(\.width), name: widest.name, text: widest.text, place: places.width)
    }

    private func write(to sink: inout ByteSink) {
        var canvas = SVGCanvas()
        let end = writeRows(to: &canvas)
        let bottom = writeOutcome(below: end, to: &canvas)
        let title = cast.label(trace.header.scenario).text
        canvas.finish(width: layout.width, height: bottom + layout.margin, title: title, story: story, to: &sink)
    }

    private var story: String { trace.outcome.map { "\($0.kind.rawValue): \($0.summary)" } ?? "" }

    // MARK: - Rows

    /// - Returns: where the rows end.
    private func writeRows(to canvas: inout SVGCanvas) -> Int {
        var lanes = LaneBands(LaneStates(cast.threads.count), from: layout.top)
        var arrows = LaneArrows(trace, layout: layout)
        writeHeads(to: &canvas)
        var next = 0
        var y = layout.top
        for part in excerpt.parts {
            if case .rows(let rows) = part {
                for row in rows {
                    let index = excerpt.events[row]
                    advance(&lanes, &arrows, from: &next, to: index, y: y, &canvas)
                    y += layout.rowHeight
                    arrows.place(index, at: y)
                    advance(&lanes, &arrows, from: &next, to: index + 1, y: y, &canvas)
                    writeRow(row, at: y, to: &canvas)
                }
            } else {
                y += layout.rowHeight
                canvas.text(part.note ?? "", x: layout.name, y: y, .note)
            }
        }
        advance(&lanes, &arrows, from: &next, to: trace.events.count, y: y, &canvas)
        y += layout.rowHeight
        lanes.finish(at: y, layout, &canvas)
        if trace.outcome?.kind == .deadlock {
            for lane in lanes.states.all.indices where lanes.states[lane] == .blocked {
                canvas.cross(x: layout.x(lane), y: y)
            }
            if lanes.states.all.contains(.blocked) { canvas.text("blocked forever", x: layout.name, y: y, .failure) }
        }
        return y
    }

    private func writeHeads(to canvas: inout SVGCanvas) {
        canvas.text(cast.label(trace.header.scenario).text, x: layout.margin, y: layout.margin + 12, .title)
        for (lane, name) in cast.threads.enumerated() {
            canvas.text(
                name.clippedInMiddle(to: layout.headColumns, ascii: false).text, x: layout.x(lane), y: layout.top - 8,
                .head, lane: lane)
        }
    }

    private func writeRow(_ row: Int, at y: Int, to canvas: inout SVGCanvas) {
        let index = excerpt.events[row]
        let event = trace.events[index]
        let isFailure = event.kind.effect.isFailure
        canvas.text(String(row + 1), x: layout.number, y: y, .number)
        canvas.text(words.label(event).text, x: layout.text, y: y, isFailure ? .failure : .plain)
        if event.kind.concernsRun || index >= runLength { return }
        let lane = Int(event.thread.index)
        canvas.text(cast.thread(event.thread).text, x: layout.name, y: y, .name, lane: lane)
        canvas.text(places[event.site].text, x: layout.place, y: y, .place)
        if isFailure { return canvas.cross(x: layout.x(lane), y: y) }
        let effect = event.kind.effect
        let isEnd = effect == .endThread || effect == .endRun(.exit)
        canvas.mark(x: layout.x(lane), y: y, isEnd ? .end : effect.blocks ? .wait : .step, lane: lane)
    }

    private func advance(
        _ lanes: inout LaneBands, _ arrows: inout LaneArrows, from next: inout Int, to index: Int, y: Int,
        _ canvas: inout SVGCanvas
    ) {
        while next < index {
            let event = trace.events[next]
            arrows.consume(event, next, &canvas)
            let lane = Int(event.thread.index)
            if next < runLength, !event.kind.concernsRun, lane < lanes.states.all.count {
                lanes.apply(event, lane, at: y, layout, &canvas)
            }
            next += 1
        }
    }

    // MARK: - The end

    /// - Returns: where the text ends.
    private func writeOutcome(below end: Int, to canvas: inout SVGCanvas) -> Int {
        guard let outcome = trace.outcome else { return end }
        var y = end + layout.rowHeight / 2
        let columns = max(layout.columns(from: layout.margin), 40)
        let isGood = outcome.kind == .completed
        for (number, piece) in cast.label("\(outcome.kind.rawValue): \(outcome.summary)").pieces(within: columns)
            .enumerated()
        {
            y += layout.rowHeight
            canvas.text(piece.text, x: layout.margin, y: y, number > 0 ? .plain : isGood ? .good : .failure)
        }
        for detail in outcome.details {
            for piece in cast.label(detail).pieces(within: columns - 2) {
                y += layout.rowHeight
                canvas.text(piece.text, x: layout.margin + 14, y: y, .plain)
            }
        }
        return y
    }
}
