/// The places of the parts of a lane drawing, in pixels. A row consists of its number, the lanes, the thread's name,
/// the step in words, and the place in the source. Widths of text are in columns: a character of average width takes
/// one.
struct DrawingLayout {
    /// The measures that depend on what the drawing is for: a file of its own, or part of a handout.
    struct Form {
        var margin = 20
        var rowHeight = 24
        /// The top of the lanes.
        var top = 76
        /// The maximum width of all lanes together.
        var lanes = 900
        /// The minimum width of the drawing.
        var least = 480
        /// Longer names and texts are cut.
        var mostColumns = (name: Int.max, text: Int.max)

        static let drawing = Form()
    }

    let margin: Int
    let rowHeight: Int
    let top: Int
    let laneWidth: Int
    /// The right end of a row's number.
    let number = 46
    /// The left ends of the other parts of a row.
    let name: Int
    let text: Int
    let place: Int
    let width: Int
    /// The maximum widths of a thread's name above its lane, and of the name and the text in a row, in columns.
    let headColumns: Int
    let nameColumns: Int
    let textColumns: Int

    /// The average width of a character in the fonts that a viewer may have, and the width of one in `monospace`.
    private static let character = 8
    /// Names are bold, and must not touch their neighbors.
    private static let boldCharacter = 9
    private static let headGap = 12
    private static let widestLane = 128
    private static let narrowestLane = 22
    /// The minimum width of a lane for which there is room.
    private static let ampleLane = 48
    /// The gaps before the lanes, and between the other parts of a row.
    private static let gapBeforeLanes = 14
    private static let gap = 16

    /// - Parameters:
    ///   - threads: the widths of the threads' names, in columns.
    ///   - name: the width of the widest name; `text` and `place` likewise.
    init(threads: [Int], name: Int, text: Int, place: Int, _ form: Form) {
        margin = form.margin
        rowHeight = form.rowHeight
        top = form.top
        nameColumns = min(name, form.mostColumns.name)
        textColumns = min(text, form.mostColumns.text)
        let wanted = min(max((threads.max() ?? 0) * Self.boldCharacter + Self.headGap, Self.ampleLane), Self.widestLane)
        laneWidth = max(min(wanted, form.lanes / max(threads.count, 1)), Self.narrowestLane)
        headColumns = max((laneWidth - Self.headGap) / Self.boldCharacter, 2)
        self.name = number + Self.gapBeforeLanes + laneWidth * threads.count + Self.gap
        self.text = self.name + nameColumns * Self.boldCharacter + Self.gap
        self.place = self.text + textColumns * Self.character + Self.gap
        width = max(self.place + place * Self.character + form.margin, form.least)
    }

    /// The center of a lane.
    func x(_ lane: Int) -> Int { number + Self.gapBeforeLanes + laneWidth * lane + laneWidth / 2 }

    /// The number of characters that fit between `x` and the right margin.
    func columns(from x: Int) -> Int { (width - x - margin) / Self.character }
}

/// The vertical places of the rows of a lane drawing. Rows that are not shown have none.
struct DrawingRows {
    private let events: [Int]
    /// Ranges of consecutive shown rows, each with the place of its first row.
    private var runs: [(rows: Range<Int>, y: Int)] = []
    private let rowHeight: Int
    /// The place below the last row.
    let end: Int

    init(_ excerpt: RowExcerpt, _ layout: DrawingLayout) {
        events = excerpt.events
        rowHeight = layout.rowHeight
        var y = layout.top
        for part in excerpt.parts {
            y += layout.rowHeight
            guard case .rows(let rows) = part else { continue }
            runs.append((rows, y))
            y += (rows.count - 1) * layout.rowHeight
        }
        end = y + layout.rowHeight
    }

    /// The place of the event's row. Nil: it has no row.
    func y(of event: Int) -> Int? {
        let row = Self.first(0..<events.count) { events[$0] >= event }
        guard row < events.count, events[row] == event else { return nil }
        let next = Self.first(0..<runs.count) { runs[$0].rows.lowerBound > row }
        guard next > 0, runs[next - 1].rows.contains(row) else { return nil }
        return runs[next - 1].y + (row - runs[next - 1].rows.lowerBound) * rowHeight
    }

    /// The first index for which the condition holds, by binary search.
    private static func first(_ range: Range<Int>, where isSo: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isSo(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
