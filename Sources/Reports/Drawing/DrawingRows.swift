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
