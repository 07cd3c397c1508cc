import Diagnosis
import Trace

/// A trace as a report with a row for each event shows it: the names and words of its events, which of them have rows,
/// and what the end of a row says.
struct ShownTrace {
    let trace: TraceDocument
    let options: ReportOptions
    let cast: Cast
    let words: StepWords
    let excerpt: RowExcerpt
    let places: RowPlaces
    let runLength: Int

    /// - Parameter isRow: whether the event has a row.
    init(_ trace: TraceDocument, _ options: ReportOptions, isRow: (Event) -> Bool) {
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
        words = StepWords(cast: cast)
        excerpt = RowExcerpt(trace, options, isRow: isRow)
        places = RowPlaces(trace, Set(excerpt.events.map { trace.events[$0].site }), options)
        runLength = trace.runLength
    }

    /// The events of the rows that are shown.
    var events: [Event] {
        excerpt.parts.flatMap { part -> [Event] in
            guard case .rows(let rows) = part else { return [] }
            return rows.map { trace.events[excerpt.events[$0]] }
        }
    }

    /// Whether the event is one of a thread, during the run.
    func isOfThread(_ index: Int) -> Bool { index < runLength && !trace.events[index].kind.concernsRun }
}

extension EventKind {
    /// Whether the event concerns the run as a whole, not one thread.
    var concernsRun: Bool {
        // It is a thread that calls `exit`.
        effect.end.map { $0 != .exit } ?? false
    }
}

extension TraceDocument {
    /// The number of events of the run itself. Later events are from the review of what the process left behind, and
    /// belong to no thread.
    var runLength: Int { events.firstIndex { $0.kind == .runComplete }.map { $0 + 1 } ?? events.count }

    /// Whether reports in steps show the event. That the run completed is said below them.
    func isStep(_ event: Event) -> Bool { isShown(event) && event.kind != .runComplete }
}
