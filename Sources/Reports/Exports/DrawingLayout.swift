/// Where the parts of a drawing of lanes are, in pixels.
struct DrawingLayout {
    let margin = 20
    let rowHeight = 24
    /// Where the lanes begin.
    let top = 76
    let laneWidth: Int
    /// Where a row's number ends.
    let number = 46
    let name: Int
    let text: Int
    let place: Int
    let width: Int
    /// The width of a lane's head.
    let headColumns: Int

    /// The width of a character, on average, in the fonts that a viewer may have; and of one in `monospace`.
    private static let character = 8
    /// Heads are bold, and must not touch.
    private static let boldCharacter = 9
    private static let headGap = 12
    private static let widestLane = 128
    private static let narrowestLane = 22
    private static let lanesRoom = 900

    /// - Parameters:
    ///   - threads: the widths of the threads' names, in columns.
    ///   - name: the width of the widest name, and so on.
    init(threads: [Int], name: Int, text: Int, place: Int) {
        let wanted = min(max((threads.max() ?? 0) * Self.boldCharacter + Self.headGap, 48), Self.widestLane)
        laneWidth = max(min(wanted, Self.lanesRoom / max(threads.count, 1)), Self.narrowestLane)
        headColumns = max((laneWidth - Self.headGap) / Self.boldCharacter, 2)
        self.name = number + 14 + laneWidth * threads.count + 16
        self.text = self.name + name * Self.character + 16
        self.place = self.text + text * Self.character + 16
        width = max(self.place + place * Self.character + margin, 480)
    }

    /// The middle of a lane.
    func x(_ lane: Int) -> Int { number + 14 + laneWidth * lane + laneWidth / 2 }

    /// How many characters fit.
    func columns(from x: Int) -> Int { (width - x - margin) / Self.character }
}

/// Where the rows of a drawing are.
struct DrawingRows {
    private let events: [Int]
    /// Rows that follow one another, with the place of the first.
    private var runs: [(rows: Range<Int>, y: Int)] = []
    private let rowHeight: Int
    /// Below the last row.
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

    /// The place of the event's row. Nil: it has none.
    func y(of event: Int) -> Int? {
        let row = Self.first(0..<events.count) { events[$0] >= event }
        guard row < events.count, events[row] == event else { return nil }
        let next = Self.first(0..<runs.count) { runs[$0].rows.lowerBound > row }
        guard next > 0, runs[next - 1].rows.contains(row) else { return nil }
        return runs[next - 1].y + (row - runs[next - 1].rows.lowerBound) * rowHeight
    }

    /// The first index for which this is so, by halving.
    private static func first(_ range: Range<Int>, where isSo: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = (low + high) / 2
            if isSo(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
