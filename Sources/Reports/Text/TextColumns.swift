import Trace

/// Where the columns of the text report are. Each is as wide as its widest entry, up to a limit.
struct TextColumns {
    /// The column before which the sequence number ends.
    let numberEnd: Int
    /// Nil if the times say nothing: a controlled run in which no time passed.
    let timeEnd: Int?
    let unit: TimeUnit
    let thread: Int
    let kind: Int
    let object: Int
    let value: Int
    let site: Int

    private static let gap = 2
    private static let widestName = 20
    private static let widestValue = 28

    init(_ trace: TraceDocument, _ cast: Cast) {
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
        let widths = Widths(trace, cast)
        thread = end + Self.gap
        kind = thread + min(max(widths.thread, 6), Self.widestName) + Self.gap
        object = kind + max(widths.kind, 5) + Self.gap
        value = object + (widths.object == 0 ? 0 : min(max(widths.object, 6), Self.widestName) + Self.gap)
        site = value + (widths.value == 0 ? 0 : min(max(widths.value, 5), Self.widestValue) + Self.gap)
    }

    /// The widest entries of the columns.
    private struct Widths {
        var thread = 0
        var kind = 0
        var object = 0
        var value = 0

        init(_ trace: TraceDocument, _ cast: Cast) {
            var kinds: Set<EventKind> = []
            for event in trace.events where trace.isShown(event) {
                thread = max(thread, cast.thread(event.thread).width)
                kinds.insert(event.kind)
                if event.object != .none { object = max(object, cast.object(event.object).width) }
                if value < TextColumns.widestValue { value = max(value, cast.value(of: event).width) }
            }
            kind = kinds.lazy.map(\.name.utf8.count).max() ?? 0
        }
    }
}
