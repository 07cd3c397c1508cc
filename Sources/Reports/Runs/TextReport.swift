import Trace

/// One line per event, in columns. Below them the report says how the run ended.
struct TextReport {
    private let shown: ShownTrace
    private let columns: TextColumns

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        shown = ShownTrace(trace, options, inSteps: false)
        columns = TextColumns(shown)
    }

    func write(to sink: inout ByteSink) {
        Title(trace: shown.trace, options: shown.options).write(to: &sink)
        writeHeadings(to: &sink)
        for part in shown.excerpt.parts {
            guard case .rows(let rows) = part else {
                writeNote(part.note ?? "", to: &sink)
                continue
            }
            for row in rows {
                let index = shown.excerpt.events[row]
                write(index, number: row + 1, to: &sink)
            }
        }
        Summary(trace: shown.trace, options: shown.options, rows: shown.marked).write(to: &sink)
        sink.flush()
    }

    private func writeHeadings(to sink: inout ByteSink) {
        var line = Line(shown.options)
        line.put(Label("#"), before: columns.numberEnd, .dim, to: &sink)
        if let end = columns.timeEnd {
            line.put(Label(columns.unit.symbol(ascii: shown.options.ascii)), before: end, .dim, to: &sink)
        }
        line.put(Label("thread"), at: columns.thread, .dim, to: &sink)
        line.put(Label("event"), at: columns.kind, .dim, to: &sink)
        if columns.value > columns.object { line.put(Label("object"), at: columns.object, .dim, to: &sink) }
        if columns.hasValues { line.put(Label("value"), at: columns.value, .dim, to: &sink) }
        if let site = columns.site { line.put(Label("where"), at: site, .dim, to: &sink) }
        line.end(to: &sink)
    }

    private func writeNote(_ text: String, to sink: inout ByteSink) {
        var line = Line(shown.options)
        line.put(LaneMarks(ascii: shown.options.ascii).gap, before: columns.numberEnd, .dim, to: &sink)
        line.put(Label(text), at: columns.numberEnd + 2, .dim, to: &sink)
        line.end(to: &sink)
    }

    private func write(_ index: Int, number: Int, to sink: inout ByteSink) {
        let event = shown.trace.events[index]
        var line = Line(shown.options)
        line.put(Label(String(number)), before: columns.numberEnd, .dim, to: &sink)
        if let end = columns.timeEnd {
            line.put(Label(columns.unit.format(event.time)), before: end, .dim, to: &sink)
        }
        let color = Color.thread(Int(event.thread.index))
        if shown.isOfThread(index) {
            let thread = clipped(shown.cast.thread(event.thread), columns.kind - columns.thread)
            line.put(thread, at: columns.thread, color, to: &sink)
        }
        line.put(shown.cast.name(of: event), at: columns.kind, event.kind.effect.isFailure ? .bad : color, to: &sink)
        if event.object != .none {
            line.put(
                clipped(shown.cast.object(event.object), columns.value - columns.object), at: columns.object, to: &sink)
        }
        let pieces = shown.value(index).pieces(within: columns.valueWidth)
        line.put(pieces[0], at: columns.value, to: &sink)
        if let site = columns.site { line.put(shown.places[event.site], at: site, .dim, to: &sink) }
        line.end(to: &sink)
        for piece in pieces.dropFirst() {
            line.put(piece, at: columns.value, to: &sink)
            line.end(to: &sink)
        }
    }

    private func clipped(_ label: Label, _ column: Int) -> Label {
        label.clippedInMiddle(to: column - 2, ascii: shown.options.ascii)
    }
}

/// The columns of the text report. Each is as wide as its widest entry, up to a limit. If rows would exceed the
/// report's width, long values continue below, and if that is not enough, names are cut in the middle.
struct TextColumns {
    /// The column before which the sequence number ends.
    let numberEnd: Int
    /// The column before which the time ends. Nil: times are not shown, because no time passed in a controlled run.
    let timeEnd: Int?
    let unit: TimeUnit
    let thread: Int
    let kind: Int
    let object: Int
    let value: Int
    let hasValues: Bool
    /// The maximum width of a value before it continues below. Nil: no limit.
    let valueWidth: Int?
    /// The column of the source location. Nil: there is no room for it.
    let site: Int?

    private static let gap = 2
    private static let widestName = 20
    private static let widestValue = 28
    private static let leastName = 6
    private static let leastValue = 10

    init(_ shown: ShownTrace) {
        let latest = shown.trace.events.lazy.map(\.time).max() ?? 0
        unit = TimeUnit(latest: latest)
        numberEnd = max(String(shown.trace.events.count).utf8.count, 3)
        var end = numberEnd
        if latest > 0 || shown.trace.header.runtime == .native {
            end += Self.gap + max(unit.format(latest).utf8.count, 4)
            timeEnd = end
        } else {
            timeEnd = nil
        }
        let widths = Widths(shown)
        // No column is narrower than its heading: `thread`, `event`, `object`, `value` and `where`.
        var threadWidth = min(max(widths.thread, 6), Self.widestName)
        let kindWidth = max(widths.kind, 5)
        var objectWidth = widths.object == 0 ? 0 : min(max(widths.object, 6), Self.widestName)
        var valueWidth = widths.value == 0 ? 0 : min(max(widths.value, 5), Self.widestValue)
        var placeWidth = shown.places.width == 0 ? 0 : max(shown.places.width, 5)
        func total() -> Int {
            [threadWidth, kindWidth, objectWidth, valueWidth, placeWidth].reduce(end) {
                $1 == 0 ? $0 : $0 + Self.gap + $1
            }
        }
        if let limit = shown.options.rowWidth {
            // Reduces the widths until a row fits: of the value down to its longest word, of the names, and of the
            // value further. At last the source locations are left out.
            func spare(_ width: Int, _ least: Int) -> Int { min(max(total() - limit, 0), max(width - least, 0)) }
            valueWidth -= spare(valueWidth, max(widths.valueWord, Self.leastValue))
            objectWidth -= spare(objectWidth, Self.leastName)
            threadWidth -= spare(threadWidth, Self.leastName)
            valueWidth -= spare(valueWidth, Self.leastValue)
            if total() > limit { placeWidth = 0 }
            self.valueWidth = widths.value == 0 ? nil : valueWidth
        } else {
            self.valueWidth = nil
        }
        hasValues = widths.value > 0
        thread = end + Self.gap
        kind = thread + threadWidth + Self.gap
        object = kind + kindWidth + Self.gap
        value = object + (objectWidth == 0 ? 0 : objectWidth + Self.gap)
        site = placeWidth == 0 ? nil : value + (valueWidth == 0 ? 0 : valueWidth + Self.gap)
    }

    /// The widest entries of the columns.
    private struct Widths {
        var thread = 0
        var kind = 0
        var object = 0
        var value = 0
        /// The longest word of a value.
        var valueWord = 0

        init(_ shown: ShownTrace) {
            for index in shown.indices {
                let event = shown.trace.events[index]
                thread = max(thread, shown.cast.thread(event.thread).width)
                kind = max(kind, shown.cast.name(of: event).width)
                if event.object != .none { object = max(object, shown.cast.object(event.object).width) }
                let label = shown.value(index)
                value = max(value, label.width)
                if label.width > valueWord { valueWord = max(valueWord, label.widestWord) }
            }
        }
    }
}

/// The unit of a column of times, chosen for the latest of them.
enum TimeUnit {
    case microseconds, milliseconds, seconds

    init(latest: UInt64) {
        switch latest {
        case ..<10_000_000: self = .microseconds
        case ..<10_000_000_000: self = .milliseconds
        default: self = .seconds
        }
    }

    func symbol(ascii: Bool) -> String {
        switch self {
        case .microseconds: ascii ? "us" : "µs"
        case .milliseconds: "ms"
        case .seconds: "s"
        }
    }

    /// The time with a fixed number of decimals, so that decimal points align.
    func format(_ nanoseconds: UInt64) -> String {
        switch self {
        case .microseconds: Self.decimal(nanoseconds / 100, 10)
        case .milliseconds: Self.decimal(nanoseconds / 1_000, 1_000)
        case .seconds: Self.decimal(nanoseconds / 1_000, 1_000_000)
        }
    }

    /// The number divided by `one`, a power of ten, with all decimals, also zeros.
    private static func decimal(_ number: UInt64, _ one: UInt64) -> String {
        "\(number / one).\(String(number % one + one).dropFirst())"
    }
}
