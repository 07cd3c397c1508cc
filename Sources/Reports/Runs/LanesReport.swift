import Diagnosis
import Trace

/// A graph with a lane of marks for each thread and a row for each step, with the step in words. Below it the report
/// says how the run ended.
struct LanesReport {
    private let shown: ShownTrace
    private let marks: LaneMarks
    private let layout: LaneLayout

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        shown = ShownTrace(trace, options)
        marks = LaneMarks(ascii: options.ascii)
        var widest = (name: 0, text: 0, place: shown.places.width)
        for index in shown.indices where !trace.events[index].kind.concernsRun {
            let event = trace.events[index]
            widest.text = max(widest.text, shown.label(index).width)
            widest.name = max(widest.name, shown.cast.thread(event.thread).width)
        }
        layout = LaneLayout(
            numberWidth: String(shown.excerpt.events.count).utf8.count, threads: shown.cast.threads.count,
            widest: widest, options)
    }

    func write(to sink: inout ByteSink) {
        if !shown.options.showsOnlyRows { Title(trace: shown.trace, options: shown.options).write(to: &sink) }
        var states = LaneStates(layout.laneCount)
        var next = 0
        for part in shown.excerpt.parts {
            if case .rows(let rows) = part {
                for row in rows {
                    advance(&states, from: &next, to: shown.excerpt.events[row])
                    writeRow(row, states, to: &sink)
                }
            } else if case .end = part {
                // Below the marks of threads that are stuck.
            } else {
                writeNote(part.note ?? "", to: &sink)
            }
        }
        advance(&states, from: &next, to: shown.trace.events.count)
        if shown.trace.outcome?.kind == .deadlock { writeStuck(states, to: &sink) }
        if let part = shown.excerpt.parts.last, case .end = part {
            // In the log of a test there is no such option.
            writeEnd((shown.options.saysVerdict ? part.note : part.noteOnPaper) ?? "", to: &sink)
        }
        if !shown.options.showsOnlyRows {
            Summary(trace: shown.trace, options: shown.options, rows: shown.marked).write(to: &sink)
        }
        sink.flush()
    }

    // MARK: - Rows

    private func writeRow(_ row: Int, _ states: LaneStates, to sink: inout ByteSink) {
        let index = shown.excerpt.events[row]
        let event = shown.trace.events[index]
        var line = Line(shown.options)
        line.put(Label(String(row + 1)), before: layout.numberEnd, .dim, to: &sink)
        if !shown.isOfThread(index) {
            let color = event.kind.effect.isFailure ? Color.bad : .dim
            writeAcross(shown.label(index), color, &line, to: &sink)
        } else {
            writeStep(row, index, states, &line, to: &sink)
        }
    }

    private func writeStep(
        _ row: Int, _ index: Int, _ states: LaneStates, _ line: inout Line, to sink: inout ByteSink
    ) {
        let event = shown.trace.events[index]
        let isMarked = shown.isMarked(row)
        let isBad = event.kind.effect.isFailure || isMarked
        let color = isBad ? Color.bad : .thread(Int(event.thread.index))
        let step = LaneStep(event, color, shown.mark(row), source: shown.sources[index])
        marks.put(states, in: layout, step: step, &line, to: &sink)
        let name = shown.cast.thread(event.thread).clippedInMiddle(to: layout.nameWidth, ascii: shown.options.ascii)
        line.put(name, at: layout.name, .thread(Int(event.thread.index)), to: &sink)
        let pieces = shown.label(index).pieces(within: layout.textWidth)
        let isContext = shown.options.context.contains(index)
        line.put(pieces[0], at: layout.text, isBad ? .bad : isContext ? .dim : .plain, to: &sink)
        writePlace(event.site, &line, to: &sink)
        line.end(to: &sink)
        if pieces.count == 1 { return }
        var after = states
        after.apply(event, layout)
        for piece in pieces.dropFirst() {
            marks.put(after, in: layout, &line, to: &sink)
            line.put(piece, at: layout.text, isBad ? .bad : .plain, to: &sink)
            line.end(to: &sink)
        }
    }

    private func writePlace(_ site: SiteID, _ line: inout Line, to sink: inout ByteSink) {
        guard let column = layout.place else { return }
        let place = shown.places[site]
        line.put(
            layout.placeWidth.map { place.clipped(to: $0, ascii: shown.options.ascii) } ?? place, at: column, .dim,
            to: &sink)
    }

    /// Writes a row that belongs to no thread, from the lanes' first column on, in at least eight columns.
    private func writeAcross(_ label: Label, _ color: Color, _ line: inout Line, to sink: inout ByteSink) {
        for piece in label.pieces(within: shown.options.rowWidth.map { max($0 - layout.laneBegin, 8) }) {
            line.put(piece, at: layout.laneBegin, color, to: &sink)
            line.end(to: &sink)
        }
    }

    /// Writes what an account leaves out at its end, and what its marks mean.
    private func writeEnd(_ note: String, to sink: inout ByteSink) {
        if !note.isEmpty { writeNote(note, to: &sink) }
        guard shown.indices.contains(where: shown.options.context.contains) else { return }
        var line = Line(shown.options)
        line.put(marks.context, before: layout.numberEnd, .dim, to: &sink)
        writeAcross(Label("the finding also occurs if this step comes earlier or later"), .dim, &line, to: &sink)
    }

    private func writeNote(_ text: String, to sink: inout ByteSink) {
        var line = Line(shown.options)
        line.put(marks.gap, before: layout.numberEnd, .dim, to: &sink)
        writeAcross(Label(text), .dim, &line, to: &sink)
    }

    /// Writes the last row of a deadlock, which marks the stuck threads.
    private func writeStuck(_ states: LaneStates, to sink: inout ByteSink) {
        var graph = WaitForGraph()
        for event in shown.trace.events { _ = graph.consume(event) }
        let stuck = Set(graph.stuckForever.map(layout.lane)).filter { states[$0] == .blocked }
        if stuck.isEmpty { return }
        var line = Line(shown.options)
        for lane in stuck.sorted() {
            line.put(marks.failure, at: layout.column(ofLane: lane), .bad, gap: 0, to: &sink)
        }
        line.put(Label("blocked forever"), at: layout.name, .bad, to: &sink)
        line.end(to: &sink)
    }

    // MARK: - States

    /// Applies the events before this one.
    private func advance(_ states: inout LaneStates, from next: inout Int, to index: Int) {
        while next < index {
            if shown.showsState(next) { states.apply(shown.trace.events[next], layout) }
            next += 1
        }
    }
}
