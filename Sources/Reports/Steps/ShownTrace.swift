import Diagnosis
import Trace

/// A trace as a report with rows shows it: which events have rows, their words, and their source locations. Only the
/// text report has rows for deadlines and for the completion of the run.
struct ShownTrace {
    let trace: TraceDocument
    let options: ReportOptions
    let cast: Cast
    let words: StepWords
    private(set) var excerpt: RowExcerpt
    let places: RowPlaces
    let runLength: Int
    /// Under a weaker memory model, by the number of an event that reads another thread's write: that thread, and
    /// whether newer values had been written.
    let sources: [Int: (thread: ThreadID, isOlder: Bool)]
    private let roles: [EventRoles.Role]
    /// By the number of an event: the time limit of the wait that it begins, in nanoseconds.
    private let limits: [Int: Int64]
    /// The rows, counted from 1, of the decisive finding's events. Empty if one of them has no row.
    let marked: [Int]

    /// - Parameter inSteps: whether the report shows steps in words; otherwise it shows events by their names.
    init(_ trace: TraceDocument, _ options: ReportOptions, inSteps: Bool = true) {
        self.trace = trace
        self.options = options
        cast = Cast(trace, options)
        words = StepWords(cast: cast)
        (roles, limits) = trace.roles(options.details(inSteps: inSteps))
        let rows = trace.rows(roles, inSteps: inSteps)
        let decisive = options.decisive(in: trace)
        marked = trace.rows(of: decisive?.events ?? [], among: rows)
        // Rows after the finding's last place do not matter to it.
        let last = inSteps && options.foldsCycles ? marked.max() : nil
        excerpt = RowExcerpt(trace, options, events: rows, upTo: last)
        if inSteps, options.showsAccount, let decisive {
            excerpt.keep(Account(of: decisive, in: trace), cast)
        }
        places = RowPlaces(trace, Set(excerpt.events.map { trace.events[$0].site }), options)
        runLength = trace.runLength
        sources = trace.sources
    }

    /// The numbers of the events in the shown rows.
    var indices: [Int] {
        excerpt.parts.flatMap { part -> [Int] in
            guard case .rows(let rows) = part else { return [] }
            return rows.map { excerpt.events[$0] }
        }
    }

    var events: [Event] { indices.map { trace.events[$0] } }

    func label(_ index: Int) -> Label { words.label(trace.events[index], at: index, limit: limits[index]) }

    /// The event's value, its memory order, and the newer write that it does not see.
    func value(_ index: Int) -> Label {
        let value = words.permitsLeft(after: index) ?? cast.valueAndOrder(of: trace.events[index])
        return words.remark(at: index).map { value + Label(", ") + $0 } ?? value
    }

    /// The mark of the row, counted from 0, in its thread's lane.
    func mark(_ row: Int) -> StepMark {
        let index = excerpt.events[row]
        if isMarked(row) { return .failure }
        if options.context.contains(index) { return .context }
        return StepMark(trace.events[index].kind, isOutOfOrder: words.isOutOfOrder(index))
    }

    /// Whether the decisive finding refers to the row, counted from 0.
    func isMarked(_ row: Int) -> Bool { marked.contains(row + 1) }

    /// Whether the event shows that its thread runs or is blocked.
    func showsState(_ index: Int) -> Bool { index < runLength && roles[index] != .inside }

    /// Whether the event belongs to a thread, during the run.
    func isOfThread(_ index: Int) -> Bool { index < runLength && !trace.events[index].kind.concernsRun }
}

extension EventKind {
    /// Whether the event concerns the run as a whole, not one thread.
    var concernsRun: Bool {
        // `exit` is called by a thread.
        effect.end.map { $0 != .exit } ?? false
    }
}

extension TraceDocument {
    /// The number of events of the run itself. Later events are from the review of what the process left behind, and
    /// belong to no thread.
    var runLength: Int { events.firstIndex { $0.kind == .runComplete }.map { $0 + 1 } ?? events.count }

    /// The value of `ShownTrace.sources`.
    fileprivate var sources: [Int: (thread: ThreadID, isOlder: Bool)] {
        var finder = CauseFinder()
        var sources: [Int: (thread: ThreadID, isOlder: Bool)] = [:]
        for (index, event) in events.enumerated() {
            finder.consume(event)
            for cause in finder.causes where cause.kind == .source || cause.kind == .olderSource {
                sources[index] = (cause.thread, cause.kind == .olderSource)
            }
        }
        return sources
    }

    /// The numbers of the events that have rows, given their roles.
    ///
    /// - Parameter inSteps: whether the report shows steps in words. The completion of the run then has no row, because
    ///   the text below the rows says it.
    func rows(_ roles: [EventRoles.Role], inSteps: Bool = true) -> [Int] {
        events.indices.filter { roles[$0] == .step && !(inSteps && events[$0].kind == .runComplete) }
    }
}

extension TraceDocument {
    /// The rows of events, counted from 1. Empty if one of the events has no row.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the events in the run, counted from 1. Events that the trace has dropped count too;
    ///     they are taken to be the first ones of the run.
    ///   - rows: by row, the number of its event in the trace, from 0.
    fileprivate func rows(of numbers: [Int], among rows: [Int]) -> [Int] {
        let found = numbers.compactMap { number in rows.firstIndex(of: number - 1 - dropped).map { $0 + 1 } }
        return found.count == numbers.count ? found : []
    }
}

extension ReportOptions {
    /// What the report shows besides steps.
    ///
    /// - Parameter inSteps: whether the report shows steps in words; otherwise it shows events by their names.
    func details(inSteps: Bool = true) -> EventRoles.Details {
        var details: EventRoles.Details = inSteps ? [] : .limits
        if showsInsides { details.insert(.insides) }
        return details
    }
}
