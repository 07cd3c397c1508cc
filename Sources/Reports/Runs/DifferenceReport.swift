import Diagnosis
import Trace

/// Two runs as lanes, side by side or one after the other, with the first difference marked and explained. The report
/// calls the first run "here" and the second one "there".
package struct DifferenceReport {
    private let runs: (TraceDocument, TraceDocument)
    private let titles: (String, String)
    private let options: ReportOptions
    private let difference: TraceDifference

    /// The minimum width of one of two runs that are shown side by side.
    private static let leastSide = 46
    /// The width of the mark of the first difference, the line between the runs, and the blank before it.
    private static let widthBesideSides = 3
    /// The widths of one of two runs side by side, and of a run below the other, if the report has no maximum width.
    private static let usualSide = 60
    private static let usualWidth = 80
    /// The numbers of rows that are shown before the first difference, and from it on.
    private static let rowsBefore = 6
    private static let rowsAfter = 12

    /// Whether the two runs have the same steps and the same outcome.
    package var areSame: Bool {
        difference.areSame && runs.0.outcome?.kind == runs.1.outcome?.kind && !endsEarly
    }

    /// Whether a trace whose later events were omitted ends before any difference, so that the rest is not compared.
    private var endsEarly: Bool {
        let same = difference.same
        return runs.0.omitted > 0 && same == difference.here.count
            || runs.1.omitted > 0 && same == difference.there.count
    }

    /// - Parameters:
    ///   - titles: the names of the runs.
    ///   - options: their remarks are written below the titles.
    package init(
        _ here: TraceDocument, _ there: TraceDocument, titles: (String, String), _ options: ReportOptions
    ) {
        runs = (here, there)
        self.titles = titles
        self.options = options
        difference = TraceDifference(here, there)
    }

    package func write(to sink: inout ByteSink) {
        write("here: \(titles.0)", .bold, to: &sink)
        write("there: \(titles.1)", .bold, to: &sink)
        for remark in options.remarks { write(remark, .plain, to: &sink) }
        sink.endLine()
        let total = max(difference.here.count, difference.there.count)
        let rows = shownRows(total)
        let width = options.rowWidth
        let side = width.map { ($0 - Self.widthBesideSides) / 2 } ?? Self.usualSide
        if side >= Self.leastSide {
            writeBeside(rows, side, to: &sink)
        } else {
            writeBelow(rows, width ?? Self.usualWidth, to: &sink)
        }
        sink.endLine()
        for line in explanation { write(line, .plain, to: &sink) }
        sink.flush()
    }

    // MARK: - Rows

    /// The rows around the first difference, or all rows if the options ask for them.
    private func shownRows(_ total: Int) -> Range<Int> {
        guard options.mostRows != nil || options.foldsCycles else { return 0..<total }
        let begin = max(difference.same - Self.rowsBefore, 0)
        return begin..<max(min(difference.same + Self.rowsAfter, total), begin)
    }

    private func writeBeside(_ rows: Range<Int>, _ side: Int, to sink: inout ByteSink) {
        // A blank separates the left side from the line in the middle.
        var left = DifferenceLanes(runs.0, difference.here, rows, width: side - 1, options)
        var right = DifferenceLanes(runs.1, difference.there, rows, width: side, options)
        writeNote(rows.lowerBound, "the same", to: &sink)
        for row in rows {
            var line = Line(options)
            if row == difference.same { line.put(Label(options.ascii ? ">" : "▶"), at: 0, .bad, to: &sink) }
            left.put(row, at: 1, row == difference.same, &line, to: &sink)
            line.put(Label(options.ascii ? "|" : "│"), at: side + 1, .dim, to: &sink)
            right.put(row, at: side + 2, row == difference.same, &line, to: &sink)
            line.end(to: &sink)
        }
        writeNote(max(difference.here.count, difference.there.count) - rows.upperBound, "further on", to: &sink)
    }

    private func writeBelow(_ rows: Range<Int>, _ width: Int, to sink: inout ByteSink) {
        for (index, (trace, steps)) in [(runs.0, difference.here), (runs.1, difference.there)].enumerated() {
            var lanes = DifferenceLanes(trace, steps, rows, width: width - 1, options)
            if index > 0 { sink.endLine() }
            write(index == 0 ? "here" : "there", .bold, to: &sink)
            writeNote(rows.lowerBound, "the same", to: &sink)
            for row in rows where row < steps.count {
                var line = Line(options)
                if row == difference.same { line.put(Label(options.ascii ? ">" : "▶"), at: 0, .bad, to: &sink) }
                lanes.put(row, at: 1, row == difference.same, &line, to: &sink)
                line.end(to: &sink)
            }
            writeNote(steps.count - rows.upperBound, "further on", to: &sink)
        }
    }

    private func writeNote(_ count: Int, _ words: String, to sink: inout ByteSink) {
        guard count > 0 else { return }
        write("  \(options.ascii ? "." : "⋮")  \(Names.count(count, "step")) \(words)", .dim, to: &sink)
    }

    private func write(_ text: String, _ color: Color, to sink: inout ByteSink) {
        var line = Line(options)
        let indent = text.prefix { $0 == " " }.count
        for piece in Label(text, ascii: options.ascii).pieces(within: options.rowWidth.map { max($0, 20) }) {
            line.put(Label(safe: piece.text.drop { $0 == " " }), at: indent, color, to: &sink)
            line.end(to: &sink)
        }
    }

    // MARK: - In words

    private var explanation: [String] {
        var lines = [sentence]
        let (here, there) = (runs.0.outcome, runs.1.outcome)
        if let here, let there {
            if here.kind == there.kind && difference.areSame { return lines + ["Both end: \(here.summary)"] }
            lines.append("Here the run ends in \(here.kind.rawValue): \(here.summary)")
            lines.append("There it ends in \(there.kind.rawValue): \(there.summary)")
        }
        return lines
    }

    private var sentence: String {
        let same = difference.same
        if endsEarly {
            return "The first \(Names.count(same, "step")) are the same; what follows is too large to be compared."
        }
        if difference.areSame { return "The two runs are the same, \(Names.count(same, "step"))." }
        let beginning =
            same == 0 ? "The runs differ from the first step:" : "Until step \(same) the same; then"
        return "\(beginning) here \(step(runs.0, difference.here)), there \(step(runs.1, difference.there))."
    }

    private func step(_ trace: TraceDocument, _ steps: TraceDifference.Steps) -> String {
        guard difference.same < steps.count else { return "the run has no more steps" }
        let index = steps.events[difference.same]
        let event = trace.events[index]
        let place = trace.site(event.site).map { " (\($0.shortDescription))" } ?? ""
        return StepSentence(Cast(trace, options)).text(event, at: index) + Label(place, ascii: options.ascii).text
    }
}

/// Finds the step at which two runs begin to differ. Steps are compared by their threads and words, not by their lines
/// or times, so that two variants of a scenario can be compared too.
struct TraceDifference {
    /// The steps of a run that reports show.
    struct Steps {
        /// The numbers of their events.
        let events: [Int]
        let roles: [EventRoles.Role]
        let limits: [Int: Int64]

        var count: Int { events.count }

        init(_ trace: TraceDocument) {
            (roles, limits) = trace.roles()
            let runLength = trace.runLength
            events = trace.rows(roles).filter { $0 < runLength }
        }
    }

    let here: Steps
    let there: Steps
    /// The number of equal steps at the beginning.
    let same: Int

    var areSame: Bool { same == here.count && same == there.count }

    init(_ first: TraceDocument, _ second: TraceDocument) {
        let steps = (Steps(first), Steps(second))
        let casts = (Cast(first, ReportOptions()), Cast(second, ReportOptions()))
        let numbers = zip(steps.0.events, steps.1.events)
        let words = (StepWords(cast: casts.0), StepWords(cast: casts.1))
        here = steps.0
        there = steps.1
        same =
            numbers.prefix { number, otherNumber in
                let (event, other) = (first.events[number], second.events[otherNumber])
                return event.kind == other.kind && first.remark(of: event)?.name == second.remark(of: other)?.name
                    && casts.0.thread(event.thread) == casts.1.thread(other.thread)
                    && words.0.label(event, at: number) == words.1.label(other, at: otherNumber)
            }.count
    }
}

/// A step as a sentence: a thread, and what it does.
struct StepSentence {
    /// Verbs that step descriptions use, and that need an ending in a sentence.
    private static let verbs: Set = [
        "append", "break", "broadcast", "cancel", "choose", "create", "destroy", "detach", "end", "exit", "finish",
        "fire",
        "get", "join", "kill", "leave", "lock", "make", "measure", "notify", "perform", "put", "queue", "read",
        "read-lock",
        "receive", "resume", "schedule", "send", "set", "signal", "sleep", "start", "suspend", "take", "unlock",
        "update",
        "use", "wake", "write", "write-lock", "yield",
    ]

    private let cast: Cast
    private let words: StepWords

    init(_ cast: Cast) {
        self.cast = cast
        words = StepWords(cast: cast)
    }

    /// For example `first locks a`.
    func text(_ event: Event, at index: Int) -> String {
        let step = words.label(event, at: index).text
        if event.kind.concernsRun { return "the run: \(step)" }
        let thread = cast.thread(event.thread).text
        let verb = step.prefix { $0 != " " }
        guard Self.verbs.contains(String(verb)) else { return "\(thread) \(step)" }
        let ending = verb.hasSuffix("h") ? "es" : "s"
        return "\(thread) \(verb)\(ending)\(step.dropFirst(verb.count))"
    }
}
