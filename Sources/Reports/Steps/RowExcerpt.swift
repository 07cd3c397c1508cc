import Diagnosis
import Trace

/// The rows of a trace that a report shows, and the rows for which it shows only a note. As the options say, a repeated
/// cycle of rows is shown once, and of a long trace only a part is shown.
struct RowExcerpt {
    enum Part: Equatable {
        /// Rows of the only thread, before it creates another one.
        case beginning(Range<Int>)
        /// Rows shown unchanged.
        case rows(Range<Int>)
        /// Rows that repeat the `length` rows before them. Together with those, the cycle occurs `times` times.
        case repeats(Range<Int>, length: Int, times: Int)
        /// Rows in the middle that are omitted for lack of room.
        case omitted(Range<Int>)
        /// Rows at the end that are omitted, because they do not matter to the finding or for lack of room.
        case rest(Range<Int>)
        /// Rows between two steps of an account, and whose they are.
        case between(Range<Int>, of: String)
        /// The end of an account: rows at the end that are omitted, perhaps none.
        case end(Range<Int>)
    }

    /// By row, also of rows that are not shown: the index of its event in the trace.
    let events: [Int]
    private(set) var parts: [Part]

    /// The maximum length of a cycle that is folded.
    private static let longestCycle = 64
    /// A cycle is folded if it occurs at least `fewestTimes` times, and at least `fewestRepeated` rows repeat it.
    private static let fewestTimes = 3
    private static let fewestRepeated = 6

    /// Fewer rows than this after the finding are shown rather than counted.
    private static let fewestLeft = 3
    /// A beginning with fewer rows than this is shown.
    private static let fewestAtBeginning = 8

    /// - Parameters:
    ///   - events: the numbers of the events that have rows.
    ///   - last: the number of rows that matter to the finding. Nil: all.
    init(_ trace: TraceDocument, _ options: ReportOptions, events: [Int], upTo last: Int? = nil) {
        self.events = events
        let end = last.flatMap { events.count - $0 >= Self.fewestLeft ? $0 : nil } ?? events.count
        let start = options.foldsBeginning ? Self.beginning(trace, events.prefix(end)) : 0
        parts = start == end ? [] : [.rows(start..<end)]
        // Rows that do not matter to the finding are noted at the end, whatever is left out before them.
        defer { if end < events.count { parts.append(.rest(end..<events.count)) } }
        if options.foldsCycles {
            parts = Self.numbers(trace, Array(events[start..<end])).withUnsafeBufferPointer {
                Self.folded($0, from: start)
            }
        }
        if start > 0 { parts.insert(.beginning(0..<start), at: 0) }
        guard let most = options.mostRows else { return }
        // With fewer than two lines, there would only be room for the note on what is left out.
        switch options.keptRows {
        case .ends: shorten(to: max(most, 2))
        case .first: keepBeginning(max(most, 2))
        case .last: keepEnd(most)
        }
    }

    /// A run with more lines than this is shown by its account. The others fit on a screen.
    private static let mostLinesOfWhole = 18

    /// Shows only the steps of the account, and whose steps are left out between them. A short run remains whole, and so
    /// does one without an account.
    mutating func keep(_ account: Account, _ cast: Cast) {
        let steps = account.steps.compactMap { step in events.firstIndex(of: step.event) }
        guard !steps.isEmpty, lineCount > Self.mostLinesOfWhole else { return }
        var parts: [Part] = []
        var next = 0
        for step in steps {
            // A single step takes no more room than a note on it.
            if step > next + 1 {
                parts.append(.between(next..<step, of: cast.owners(of: events[next..<step])))
                next = step
            }
            if case .rows(let rows)? = parts.last {
                parts[parts.count - 1] = .rows(rows.lowerBound..<step + 1)
            } else {
                parts.append(.rows(next..<step + 1))
            }
            next = step + 1
        }
        self.parts = parts + [.end(next..<events.count)]
    }

    /// The number of rows before the first creation of a thread, if they are many. Otherwise 0.
    private static func beginning(_ trace: TraceDocument, _ events: ArraySlice<Int>) -> Int {
        let first = events.firstIndex { trace.events[$0].kind.effect.createsThread } ?? 0
        return first < fewestAtBeginning ? 0 : first
    }

    // MARK: - Cycles

    /// The properties that make two rows look the same.
    private struct RowKey: Hashable {
        let kind: EventKind
        let remark: RemarkID
        let thread: ThreadID
        let object: ObjectID
        let site: SiteID
        let value: Int64

        init(_ event: Event) {
            kind = event.kind
            remark = event.remark
            thread = event.thread
            object = event.object
            site = event.site
            // A ticket only orders events of different threads, and is not shown.
            value = event.kind.meaning == .ticket ? 0 : event.value
        }
    }

    /// A number for each row, equal for rows that look the same.
    private static func numbers(_ trace: TraceDocument, _ events: [Int]) -> [Int] {
        var known: [RowKey: Int] = [:]
        return events.map { index in
            let key = RowKey(trace.events[index])
            if let number = known[key] { return number }
            known[key] = known.count
            return known.count - 1
        }
    }

    /// - Parameter start: the number of the first row.
    private static func folded(_ keys: UnsafeBufferPointer<Int>, from start: Int) -> [Part] {
        folded(keys).map { $0.moved(by: start) }
    }

    private static func folded(_ keys: UnsafeBufferPointer<Int>) -> [Part] {
        var parts: [Part] = []
        var begin = 0
        var row = 0
        while row < keys.count {
            guard let (length, repeated) = cycle(at: row, keys) else {
                row += 1
                continue
            }
            let first = row + length
            parts.append(.rows(begin..<first))
            parts.append(.repeats(first..<first + repeated, length: length, times: repeated / length + 1))
            row = first + repeated
            begin = row
        }
        if begin < keys.count { parts.append(.rows(begin..<keys.count)) }
        return parts
    }

    /// The shortest cycle that begins at the row and repeats often enough to be folded: its length, and the number of
    /// rows in its complete repetitions.
    private static func cycle(at row: Int, _ keys: UnsafeBufferPointer<Int>) -> (length: Int, repeated: Int)? {
        for length in 1...longestCycle {
            guard row + fewestTimes * length <= keys.count else { return nil }
            guard keys[row] == keys[row + length] else { continue }
            var same = 0
            while row + length + same < keys.count && keys[row + same] == keys[row + length + same] { same += 1 }
            let repeated = same / length * length
            if repeated >= (fewestTimes - 1) * length && repeated >= fewestRepeated { return (length, repeated) }
        }
        return nil
    }

    // MARK: - Length

    /// Omits rows in the middle, so that at most this many lines are left besides a note on the omitted rows.
    private mutating func shorten(to most: Int) {
        guard lineCount > most else { return }
        let head = Self.fitting(parts, most / 2)
        let tail = Self.fitting(parts.reversed(), most - most / 2, fromEnd: true)
        let omitted = Self.end(of: head)..<Self.begin(of: tail)
        guard !omitted.isEmpty else { return }
        parts = head + [.omitted(omitted)] + tail
    }

    private mutating func keepBeginning(_ most: Int) {
        guard lineCount > most else { return }
        let head = Self.fitting(parts, most - 1)
        parts = head + [.rest(Self.end(of: head)..<Self.end(of: parts))]
    }

    private mutating func keepEnd(_ most: Int) {
        guard lineCount > most else { return }
        parts = Self.fitting(parts.reversed(), most, fromEnd: true)
    }

    /// The number of lines that the rows and the notes take.
    var lineCount: Int { parts.reduce(0) { $0 + Self.lineCount(of: $1) } }

    private static func lineCount(of part: Part) -> Int {
        if case .rows(let rows) = part { rows.count } else { 1 }
    }

    /// The first or last parts, as far as they fit into this many lines.
    private static func fitting(_ parts: some Sequence<Part>, _ limit: Int, fromEnd: Bool = false) -> [Part] {
        var kept: [Part] = []
        var left = limit
        for part in parts {
            if left == 0 { break }
            let count = lineCount(of: part)
            if case .rows(let rows) = part, count > left {
                kept.append(.rows(fromEnd ? rows.suffix(left) : rows.prefix(left)))
                break
            }
            kept.append(part)
            left -= count
        }
        return fromEnd ? kept.reversed() : kept
    }

    private static func range(_ part: Part) -> Range<Int> {
        switch part {
        case .beginning(let rows), .rows(let rows), .repeats(let rows, _, _), .omitted(let rows), .rest(let rows),
            .between(let rows, _), .end(let rows):
            rows
        }
    }

    private static func end(of parts: [Part]) -> Int { parts.last.map { range($0).upperBound } ?? 0 }
    private static func begin(of parts: [Part]) -> Int { parts.first.map { range($0).lowerBound } ?? 0 }
}

extension RowExcerpt.Part {
    fileprivate func moved(by count: Int) -> Self {
        func moved(_ rows: Range<Int>) -> Range<Int> { rows.lowerBound + count..<rows.upperBound + count }
        return switch self {
        case .beginning(let rows): .beginning(moved(rows))
        case .rows(let rows): .rows(moved(rows))
        case .repeats(let rows, let length, let times): .repeats(moved(rows), length: length, times: times)
        case .omitted(let rows): .omitted(moved(rows))
        case .rest(let rows): .rest(moved(rows))
        case .between(let rows, let owners): .between(moved(rows), of: owners)
        case .end(let rows): .end(moved(rows))
        }
    }

    /// The text in place of rows that are not shown. Nil: the rows are shown.
    var note: String? {
        switch self {
        case .beginning, .rows, .repeats, .between: noteOnPaper
        case .omitted, .rest: noteOnPaper.map { "\($0): --all shows them" }
        case .end(let rows):
            (rows.isEmpty ? "" : "\(Names.count(rows.count, "more step")) until the end; ")
                + "--all shows all \(rows.upperBound.grouped) steps"
        }
    }

    /// The same text for paper, where no option can show more.
    var noteOnPaper: String? {
        switch self {
        case .rows: nil
        case .beginning(let rows): "\(rows.count.grouped) steps of main, before there is another thread"
        case .repeats(_, length: 1, let times): "the step above, \(times.grouped) times"
        case .repeats(_, let length, let times): "the \(length) steps above, \(times.grouped) times"
        case .omitted(let rows): "\(rows.count.grouped) steps are left out"
        case .rest(let rows): "\(rows.count.grouped) more steps until the end"
        case .between(let rows, let owners): "\(Names.count(rows.count, "step")) of \(owners)"
        case .end(let rows): rows.isEmpty ? nil : "\(Names.count(rows.count, "more step")) until the end"
        }
    }
}

/// The source locations in the rows of a report: the line number, with the file's name if there are several files, and
/// with the line itself if the options say so.
struct RowPlaces {
    private let labels: [Label]
    let width: Int

    init(_ trace: TraceDocument, _ sites: Set<SiteID>, _ options: ReportOptions) {
        let files = Set(sites.compactMap { trace.site($0)?.file })
        let labels = trace.sites.map { site -> Label in
            guard let site else { return .empty }
            let number = files.count == 1 ? ":\(site.line)" : site.shortDescription
            guard options.showsCode, let code = options.source?(site) else {
                return Label(number, ascii: options.ascii)
            }
            return Label("\(number)  \(code)", ascii: options.ascii)
        }
        self.labels = labels
        width = sites.reduce(0) { max($0, labels.indices.contains(Int($1.index)) ? labels[Int($1.index)].width : 0) }
    }

    subscript(_ site: SiteID) -> Label {
        labels.indices.contains(Int(site.index)) ? labels[Int(site.index)] : .empty
    }
}
