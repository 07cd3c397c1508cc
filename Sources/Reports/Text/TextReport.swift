import Trace

/// One line per event, in columns; then how the run ended.
struct TextReport {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let cast: Cast
    private let excerpt: RowExcerpt
    private let places: RowPlaces
    private let columns: TextColumns

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
        excerpt = RowExcerpt(trace, options) { trace.isShown($0) }
        places = RowPlaces(trace, excerpt, options)
        columns = TextColumns(trace, cast, excerpt, places, options)
    }

    func write(to sink: inout ByteSink) {
        Title(trace: trace, options: options).write(to: &sink)
        writeHeadings(to: &sink)
        let runLength = trace.runLength
        for part in excerpt.parts {
            guard case .rows(let rows) = part else {
                writeNote(part.note ?? "", to: &sink)
                continue
            }
            for row in rows {
                let index = excerpt.events[row]
                let event = trace.events[index]
                let hasThread = index < runLength && !event.kind.concernsRun
                write(event, number: row + 1, hasThread: hasThread, to: &sink)
            }
        }
        Summary(trace: trace, options: options).write(to: &sink)
        sink.flush()
    }

    private func writeHeadings(to sink: inout ByteSink) {
        var line = Line(options)
        line.put(Label("#"), before: columns.numberEnd, .dim, to: &sink)
        if let end = columns.timeEnd {
            line.put(Label(columns.unit.symbol(ascii: options.ascii)), before: end, .dim, to: &sink)
        }
        line.put(Label("thread"), at: columns.thread, .dim, to: &sink)
        line.put(Label("event"), at: columns.kind, .dim, to: &sink)
        if columns.value > columns.object { line.put(Label("object"), at: columns.object, .dim, to: &sink) }
        if columns.hasValues { line.put(Label("value"), at: columns.value, .dim, to: &sink) }
        if let site = columns.site { line.put(Label("where"), at: site, .dim, to: &sink) }
        line.end(to: &sink)
    }

    private func writeNote(_ text: String, to sink: inout ByteSink) {
        var line = Line(options)
        line.put(LaneMarks(ascii: options.ascii).gap, before: columns.numberEnd, .dim, to: &sink)
        line.put(Label(text), at: columns.numberEnd + 2, .dim, to: &sink)
        line.end(to: &sink)
    }

    private func write(_ event: Event, number: Int, hasThread: Bool, to sink: inout ByteSink) {
        var line = Line(options)
        line.put(Label(String(number)), before: columns.numberEnd, .dim, to: &sink)
        if let end = columns.timeEnd {
            line.put(Label(columns.unit.format(event.time)), before: end, .dim, to: &sink)
        }
        let colour = Colour.thread(Int(event.thread.index))
        if hasThread {
            let thread = clipped(cast.thread(event.thread), columns.kind - columns.thread)
            line.put(thread, at: columns.thread, colour, to: &sink)
        }
        line.put(Label(event.kind.name), at: columns.kind, event.kind.effect.isFailure ? .bad : colour, to: &sink)
        if event.object != .none {
            line.put(clipped(cast.object(event.object), columns.value - columns.object), at: columns.object, to: &sink)
        }
        let pieces = cast.value(of: event).pieces(within: columns.valueWidth)
        line.put(pieces[0], at: columns.value, to: &sink)
        if let site = columns.site { line.put(places[event.site], at: site, .dim, to: &sink) }
        line.end(to: &sink)
        for piece in pieces.dropFirst() {
            line.put(piece, at: columns.value, to: &sink)
            line.end(to: &sink)
        }
    }

    private func clipped(_ label: Label, _ column: Int) -> Label {
        label.clippedInMiddle(to: column - 2, ascii: options.ascii)
    }
}
