import Diagnosis
import Trace

/// A graph with a lane of marks for each thread and a row for each step, with the step in words; then how the run
/// ended.
struct LanesReport {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let cast: Cast
    private let marks: LaneMarks
    private let words: StepWords
    private let runLength: Int
    private let excerpt: RowExcerpt
    private let places: RowPlaces
    private let layout: LaneLayout

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
        marks = LaneMarks(ascii: options.ascii)
        words = StepWords(cast: cast)
        runLength = trace.runLength
        // The text below the graph says that the run completed.
        excerpt = RowExcerpt(trace, options) { trace.isShown($0) && $0.kind != .runComplete }
        places = RowPlaces(trace, excerpt, options)
        var widest = (name: 0, text: 0, place: places.width)
        for event in excerpt.shown(trace) where !event.kind.concernsRun {
            widest.text = max(widest.text, words.label(event).width)
            widest.name = max(widest.name, cast.thread(event.thread).width)
        }
        layout = LaneLayout(
            numberWidth: String(excerpt.events.count).utf8.count, threads: cast.threads.count, widest: widest, options)
    }

    func write(to sink: inout ByteSink) {
        if !options.showsOnlyRows { Title(trace: trace, options: options).write(to: &sink) }
        var states = LaneStates(layout.laneCount)
        var next = 0
        for part in excerpt.parts {
            if case .rows(let rows) = part {
                for row in rows {
                    advance(&states, from: &next, to: excerpt.events[row])
                    writeRow(row, states, to: &sink)
                }
            } else {
                writeNote(part.note ?? "", to: &sink)
            }
        }
        advance(&states, from: &next, to: trace.events.count)
        if trace.outcome?.kind == .deadlock { writeStuck(states, to: &sink) }
        if !options.showsOnlyRows { Summary(trace: trace, options: options).write(to: &sink) }
        sink.flush()
    }

    // MARK: - Rows

    private func writeRow(_ row: Int, _ states: LaneStates, to sink: inout ByteSink) {
        let index = excerpt.events[row]
        let event = trace.events[index]
        var line = Line(options)
        line.put(Label(String(row + 1)), before: layout.numberEnd, .dim, to: &sink)
        if event.kind.concernsRun || index >= runLength {
            let colour = event.kind.effect.isFailure ? Colour.bad : .dim
            writeAcross(words.label(event), colour, &line, to: &sink)
        } else {
            writeStep(event, states, &line, to: &sink)
        }
    }

    private func writeStep(_ event: Event, _ states: LaneStates, _ line: inout Line, to sink: inout ByteSink) {
        let own = layout.lane(of: event.thread)
        let colour = event.kind.effect.isFailure ? Colour.bad : .thread(Int(event.thread.index))
        for lane in states.all.indices {
            if lane == own {
                line.put(marks.mark(of: event.kind), at: layout.column(ofLane: lane), colour, gap: 0, to: &sink)
            } else {
                put(states[lane], lane, &line, to: &sink)
            }
        }
        let name = cast.thread(event.thread).clippedInMiddle(to: layout.nameWidth, ascii: options.ascii)
        line.put(name, at: layout.name, .thread(Int(event.thread.index)), to: &sink)
        let pieces = words.label(event).pieces(within: layout.textWidth)
        line.put(pieces[0], at: layout.text, event.kind.effect.isFailure ? .bad : .plain, to: &sink)
        writePlace(event.site, &line, to: &sink)
        line.end(to: &sink)
        if pieces.count == 1 { return }
        var after = states
        update(&after, event)
        for piece in pieces.dropFirst() {
            for lane in after.all.indices { put(after[lane], lane, &line, to: &sink) }
            line.put(piece, at: layout.text, event.kind.effect.isFailure ? .bad : .plain, to: &sink)
            line.end(to: &sink)
        }
    }

    private func writePlace(_ site: SiteID, _ line: inout Line, to sink: inout ByteSink) {
        guard let column = layout.place else { return }
        let place = places[site]
        line.put(
            layout.placeWidth.map { place.clipped(to: $0, ascii: options.ascii) } ?? place, at: column, .dim, to: &sink)
    }

    private func put(_ state: LaneStates.State, _ lane: Int, _ line: inout Line, to sink: inout ByteSink) {
        if state == .absent { return }
        let mark = state == .blocked ? marks.blocked : marks.idle
        line.put(mark, at: layout.column(ofLane: lane), .dim, gap: 0, to: &sink)
    }

    /// A row that belongs to no thread, from the lanes' first column on.
    private func writeAcross(_ label: Label, _ colour: Colour, _ line: inout Line, to sink: inout ByteSink) {
        for piece in label.pieces(within: options.rowWidth.map { max($0 - layout.laneBegin, 8) }) {
            line.put(piece, at: layout.laneBegin, colour, to: &sink)
            line.end(to: &sink)
        }
    }

    private func writeNote(_ text: String, to sink: inout ByteSink) {
        var line = Line(options)
        line.put(marks.gap, before: layout.numberEnd, .dim, to: &sink)
        writeAcross(Label(text), .dim, &line, to: &sink)
    }

    /// The last row of a deadlock: which threads are stuck.
    private func writeStuck(_ states: LaneStates, to sink: inout ByteSink) {
        guard states.all.contains(.blocked) else { return }
        var line = Line(options)
        for lane in states.all.indices where states[lane] == .blocked {
            line.put(marks.failure, at: layout.column(ofLane: lane), .bad, gap: 0, to: &sink)
        }
        line.put(Label("blocked forever"), at: layout.name, .bad, to: &sink)
        line.end(to: &sink)
    }

    // MARK: - States

    /// Applies the events before this one.
    private func advance(_ states: inout LaneStates, from next: inout Int, to index: Int) {
        while next < index {
            if next < runLength { update(&states, trace.events[next]) }
            next += 1
        }
    }

    /// A shared lane shows no state: the reader could not tell which thread it belongs to.
    private func update(_ states: inout LaneStates, _ event: Event) {
        let lane = layout.lane(of: event.thread)
        if event.kind.concernsRun || lane < 0 || (layout.isLastShared && lane == layout.laneCount - 1) { return }
        states.apply(event, lane)
    }
}
