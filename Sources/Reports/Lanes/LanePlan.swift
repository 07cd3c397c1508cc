import Trace

/// Which lane each thread has, and how wide the lanes are, so that a row fits the width.
///
/// Lanes are as wide as their words while there is room. Then the widest shrink, down to a least width; and if even so there
/// are more threads than lanes, the last ones share a lane, in which each step begins with its thread's name.
struct LanePlan {
    struct Lane {
        var title: Label
        var column: Int
        var width: Int
        var isShared: Bool
    }

    /// The column before which the step's number ends.
    let numberEnd: Int
    private(set) var lanes: [Lane] = []
    /// Nil if there is no room for the places in the source.
    let site: Int?

    private static let gap = 2
    private static let leastWidth = 10
    private static let greatestWidth = 48

    init(_ trace: TraceDocument, _ cast: Cast, width: Int, ascii: Bool) {
        numberEnd = max(String(trace.events.count).utf8.count, 2)
        let available = max(width - numberEnd, Self.leastWidth)
        let threads = cast.threads.count
        let most = max(available / (Self.leastWidth + Self.gap), 1)
        let own = threads <= most ? threads : most - 1

        var titles = Array(cast.threads.prefix(own))
        if own < threads { titles.append(Label(own == 0 ? "all threads" : "\(threads - own) others")) }
        let natural = Self.naturalWidths(trace, cast, titles, own)
        let widths = Self.fit(natural, into: available - titles.count * Self.gap)

        var column = numberEnd + Self.gap
        for (title, width) in zip(titles, widths) {
            let isShared = lanes.count == own
            lanes.append(
                Lane(title: title.clipped(to: width, ascii: ascii), column: column, width: width, isShared: isShared))
            column += width + Self.gap
        }
        site = column + cast.widestSite <= width && widths == natural ? column : nil
    }

    func lane(of thread: ThreadID) -> Int { min(Int(thread.index), lanes.count - 1) }

    /// What the lanes would like to have: room for their title and their widest step.
    private static func naturalWidths(_ trace: TraceDocument, _ cast: Cast, _ titles: [Label], _ own: Int) -> [Int] {
        let words = StepWords(cast: cast)
        var widths = titles.map(\.width)
        for event in trace.events.prefix(trace.runLength) where trace.isShown(event) && !event.kind.concernsRun {
            let lane = min(Int(event.thread.index), widths.count - 1)
            guard lane >= 0, widths[lane] < greatestWidth else { continue }
            let name = lane == own ? cast.thread(event.thread).width + 2 : 0
            widths[lane] = max(widths[lane], words.label(event).width + name + 2)
        }
        return widths.map { min(max($0, leastWidth), greatestWidth) }
    }

    /// Cuts the widest down until their sum fits.
    private static func fit(_ natural: [Int], into available: Int) -> [Int] {
        var limit = natural.max() ?? 0
        while limit > 1 && natural.reduce(0, { $0 + min($1, limit) }) > available { limit -= 1 }
        return natural.map { min($0, limit) }
    }
}

extension EventKind {
    /// Whether it happened to the run as a whole, and not in one thread's lane.
    var concernsRun: Bool {
        switch effect {
        // It is a thread that calls `exit`.
        case .endRun(.exit): false
        case .endRun: true
        default: false
        }
    }
}
