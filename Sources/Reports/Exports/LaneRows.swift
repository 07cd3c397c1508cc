import Diagnosis
import Trace

/// The rows of a run, with a lane for each thread, as part of a drawing.
struct LaneRows {
    /// How steps are shown to the reader.
    enum Look {
        case complete
        /// For a sheet on which learners write what each step does: a step only has its number, its thread, and a line
        /// to write on. Steps of a thread's life (`Effect.isOfThreadsLife`) have words in place of that line. No bands
        /// show waits.
        case blank
    }

    let shown: ShownTrace
    let layout: DrawingLayout
    private let rows: DrawingRows
    private let look: Look
    /// The text in place of rows that are not shown.
    private let note: (RowExcerpt.Part) -> String?

    init(
        _ shown: ShownTrace, _ look: Look = .complete, form: DrawingLayout.Form = .drawing,
        note: @escaping (RowExcerpt.Part) -> String? = { $0.note }
    ) {
        self.shown = shown
        self.look = look
        self.note = note
        var widest = (name: 0, text: 0)
        for index in shown.indices {
            let event = shown.trace.events[index]
            widest.text = max(widest.text, shown.label(index).width)
            if !event.kind.concernsRun { widest.name = max(widest.name, shown.cast.thread(event.thread).width) }
        }
        layout = DrawingLayout(
            threads: shown.cast.threads.map(\.width), name: widest.name, text: widest.text, place: shown.places.width,
            form)
        rows = DrawingRows(shown.excerpt, layout)
    }

    /// The place below the last row.
    var end: Int { rows.end }

    /// Writes the shapes of the canvas's current layer.
    func write(to canvas: inout SVGCanvas) {
        writeHeads(to: &canvas)
        switch look {
        case .complete: writeStates(to: &canvas)
        case .blank: writeBlank(to: &canvas)
        }
    }

    private func writeHeads(to canvas: inout SVGCanvas) {
        for (lane, name) in shown.cast.threads.enumerated() {
            canvas.text(
                name.clippedInMiddle(to: layout.headColumns, ascii: false).text, x: layout.x(lane), y: layout.top - 8,
                .head, lane: lane)
        }
    }

    // MARK: - Complete

    private func writeStates(to canvas: inout SVGCanvas) {
        var lanes = LaneBands(LaneStates(shown.cast.threads.count), from: layout.top)
        var arrows = LaneArrows(rows, layout)
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
                canvas.text(note(part) ?? "", x: layout.name, y: y, .note)
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

    /// Takes the events before `index` into account: draws the bands that they end, and the arrows that lead to them.
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

    private func writeRow(_ row: Int, at y: Int, to canvas: inout SVGCanvas) {
        let index = shown.excerpt.events[row]
        let event = shown.trace.events[index]
        canvas.text(String(row + 1), x: layout.number, y: y, .number)
        writeText(index, at: y, event.kind.effect.isFailure ? .failure : .plain, to: &canvas)
        guard shown.isOfThread(index) else { return }
        let lane = Int(event.thread.index)
        writeName(event, at: y, to: &canvas)
        canvas.text(shown.places[event.site].text, x: layout.place, y: y, .place)
        canvas.mark(x: layout.x(lane), y: y, shown.mark(row), lane: lane)
    }

    private func writeText(_ index: Int, at y: Int, _ style: SVGCanvas.TextStyle, to canvas: inout SVGCanvas) {
        canvas.text(shown.label(index).clipped(to: layout.textColumns).text, x: layout.text, y: y, style)
    }

    private func writeName(_ event: Event, at y: Int, to canvas: inout SVGCanvas) {
        let name = shown.cast.thread(event.thread).clippedInMiddle(to: layout.nameColumns, ascii: false)
        canvas.text(name.text, x: layout.name, y: y, .name, lane: Int(event.thread.index))
    }

    // MARK: - Blank

    private func writeBlank(to canvas: inout SVGCanvas) {
        for lane in shown.cast.threads.indices {
            canvas.lane(x: layout.x(lane), from: layout.top, to: rows.end - layout.rowHeight / 2, isBlocked: false)
        }
        var y = layout.top
        for part in shown.excerpt.parts {
            if case .rows(let rows) = part {
                for row in rows {
                    y += layout.rowHeight
                    writeBlankRow(row, at: y, to: &canvas)
                }
            } else {
                y += layout.rowHeight
                canvas.text(note(part) ?? "", x: layout.name, y: y, .note)
            }
        }
    }

    /// Writes the row of a step. An event that belongs to no thread, such as the end of the run, has no row here.
    private func writeBlankRow(_ row: Int, at y: Int, to canvas: inout SVGCanvas) {
        let index = shown.excerpt.events[row]
        let event = shown.trace.events[index]
        guard shown.isOfThread(index) else { return }
        canvas.text(String(row + 1), x: layout.number, y: y, .number)
        writeName(event, at: y, to: &canvas)
        canvas.mark(x: layout.x(Int(event.thread.index)), y: y, .step, lane: Int(event.thread.index))
        if event.kind.effect.isOfThreadsLife {
            writeText(index, at: y, .given, to: &canvas)
        } else {
            canvas.dots(from: layout.text, to: layout.width - layout.margin, y: y + 6)
        }
    }
}
