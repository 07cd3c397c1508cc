import Trace

/// The columns of the text report. Each is as wide as its widest entry, up to a limit. If the rows must fit a width,
/// long values continue below, and then names are cut in the middle.
struct TextColumns {
    /// The column before which the sequence number ends.
    let numberEnd: Int
    /// Nil if times are not shown: a controlled run in which no time passed.
    let timeEnd: Int?
    let unit: TimeUnit
    let thread: Int
    let kind: Int
    let object: Int
    let value: Int
    let hasValues: Bool
    /// The maximum width of a value before it continues below. Nil: unlimited.
    let valueWidth: Int?
    /// Nil: there is no room for places.
    let site: Int?

    private static let gap = 2
    private static let widestName = 20
    private static let widestValue = 28
    private static let leastName = 6
    private static let leastValue = 10

    init(_ trace: TraceDocument, _ cast: Cast, _ excerpt: RowExcerpt, _ places: RowPlaces, _ options: ReportOptions) {
        let latest = trace.events.lazy.map(\.time).max() ?? 0
        unit = TimeUnit(latest: latest)
        numberEnd = max(String(trace.events.count).utf8.count, 3)
        var end = numberEnd
        if latest > 0 || trace.header.runtime == .native {
            end += Self.gap + max(unit.format(latest).utf8.count, 4)
            timeEnd = end
        } else {
            timeEnd = nil
        }
        let widths = Widths(trace, cast, excerpt)
        var threadWidth = min(max(widths.thread, 6), Self.widestName)
        let kindWidth = max(widths.kind, 5)
        var objectWidth = widths.object == 0 ? 0 : min(max(widths.object, 6), Self.widestName)
        var valueWidth = widths.value == 0 ? 0 : min(max(widths.value, 5), Self.widestValue)
        var placeWidth = places.width == 0 ? 0 : max(places.width, 5)
        func total() -> Int {
            [threadWidth, kindWidth, objectWidth, valueWidth, placeWidth].reduce(end) {
                $1 == 0 ? $0 : $0 + Self.gap + $1
            }
        }
        if let limit = options.rowWidth {
            // Reduces, in this order, the value, the names, and the places.
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
        /// The widest word of a value.
        var valueWord = 0

        init(_ trace: TraceDocument, _ cast: Cast, _ excerpt: RowExcerpt) {
            var kinds: Set<EventKind> = []
            for event in excerpt.shown(trace) {
                thread = max(thread, cast.thread(event.thread).width)
                kinds.insert(event.kind)
                if event.object != .none { object = max(object, cast.object(event.object).width) }
                let label = cast.value(of: event)
                value = max(value, label.width)
                if label.width > valueWord { valueWord = max(valueWord, label.widestWord) }
            }
            kind = kinds.lazy.map(\.name.utf8.count).max() ?? 0
        }
    }
}
