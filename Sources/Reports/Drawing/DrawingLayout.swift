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
    private static let widestLane = 110
    private static let narrowestLane = 22
    private static let lanesRoom = 900

    /// - Parameters:
    ///   - threads: the widths of the threads' names, in columns.
    ///   - name: the width of the widest name, and so on.
    init(threads: [Int], name: Int, text: Int, place: Int) {
        let wanted = min(max((threads.max() ?? 0) * Self.character + 12, 48), Self.widestLane)
        laneWidth = max(min(wanted, Self.lanesRoom / max(threads.count, 1)), Self.narrowestLane)
        headColumns = max((laneWidth - 4) / Self.character, 2)
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
