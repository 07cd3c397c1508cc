import Diagnosis
import Trace

/// The places of the parts of a handout on its page, in pixels of 1/96 inch. Both sides have the same places.
struct HandoutPage {
    /// The size of A4.
    static let fullWidth = 794
    static let fullHeight = 1123
    static let margin = 48
    static let width = fullWidth - 2 * margin
    /// The top of the program.
    static let top = 104
    /// The baseline of the last line.
    static let bottom = fullHeight - 44
    /// The maximum height of the program if the run is short.
    static let mostSource = 440
    /// The maximum height of the program if the run is long, so that more of the run fits.
    static let leastSource = 260
    /// The average width of a character.
    static let character = 8
    /// The number of small characters in a line. They are in `monospace`, 11 pixels high, and 0.602 times as wide.
    static let smallColumns = width * 1000 / (11 * 602)
    static let smallHeight = 14
    static let textHeight = 20
    /// The height of a line to write on.
    static let writingHeight = 30
    /// The possible heights of a row: from the least on which one can write to one with ample room.
    private static let rowHeights = 21...32
    /// The height of the threads' names above their lanes.
    private static let heads = 26
    /// The gap between the lanes and the text below them.
    static let gap = 34
    /// The width of a lane with room for a short name.
    private static let leastLane = 76
    /// The limits of the number of lines to write on below the lanes.
    private static let fewestLines = 3
    private static let mostLines = 6
    /// The limit of lines below the lanes. Longer text is cut.
    private static let mostOutcome = 14

    static let style = """

        .title { font-size: 22px; }
        .small { font-family: monospace; font-size: 11px; fill: #666666; }
        .dots { stroke: #777777; stroke-width: 1.2; stroke-dasharray: 1 4; stroke-linecap: round; }
        .panel { fill: #f4f4f2; }
        """

    /// The top of the lanes.
    let lanes: Int
    /// The empty space between the left edge of a drawing of lanes and the numbers of its rows. The drawing is moved to
    /// the left by it.
    let shift = 22
    /// The number of rows for which there is room.
    let mostRows: Int
    /// Whether the whole run fits.
    let isWhole: Bool
    let linesToWrite: Int
    let outcome: [OutcomeText.Line]
    let replay: [String]
    private let rowHeight: Int

    /// - Parameters:
    ///   - source: the height of the program.
    ///   - rows: the number of rows of the whole run.
    init(source: Int, rows: Int, outcome: OutcomeText, replay: [String]) {
        lanes = Self.top + source + 38
        self.replay = Array(replay.prefix(3))
        var lines = outcome.lines
        if lines.count > Self.mostOutcome {
            lines = lines.prefix(Self.mostOutcome - 1) + [OutcomeText.Line(text: "…", indent: 14)]
        }
        self.outcome = lines
        let solution = Self.gap + lines.count * Self.textHeight + self.replay.count * Self.smallHeight
        let task = Self.gap + 4 + Self.fewestLines * Self.writingHeight
        let room = Self.bottom - lanes - Self.heads - max(solution, task)
        // An additional last row shows which threads are blocked.
        mostRows = max(room / Self.rowHeights.lowerBound - 1, 4)
        isWhole = rows <= mostRows
        let used = min(rows, mostRows) + 1
        rowHeight = min(max(room / used, Self.rowHeights.lowerBound), Self.rowHeights.upperBound)
        let left = Self.bottom - lanes - Self.heads - used * rowHeight - Self.gap
        linesToWrite = min(max(left / Self.writingHeight, Self.fewestLines), Self.mostLines)
    }

    /// The run's lanes, fitted into the width of the page: if they are too wide, their lanes are narrowed, and if that
    /// is not enough, the drawing is scaled down. The scale is in thousandths.
    func fitting(_ shown: ShownTrace, _ look: LaneRows.Look) -> (lanes: LaneRows, scale: Int) {
        var form = DrawingLayout.Form(
            margin: 0, rowHeight: rowHeight, top: Self.heads, lanes: 300, least: Self.width + shift)
        form.mostColumns = (name: 20, text: 44)
        let wide = rows(shown, look, form)
        let excess = wide.layout.width - form.least
        guard excess > 0 else { return (wide, 1000) }
        form.lanes = max(form.lanes - excess, min(wide.layout.laneWidth, Self.leastLane) * shown.cast.threads.count)
        let narrow = rows(shown, look, form)
        let scale = min(form.least * 1000 / narrow.layout.width, 1000)
        form.rowHeight = rowHeight * 1000 / scale
        form.top = Self.heads * 1000 / scale
        return (rows(shown, look, form), scale)
    }

    private func rows(_ shown: ShownTrace, _ look: LaneRows.Look, _ form: DrawingLayout.Form) -> LaneRows {
        LaneRows(shown, look, form: form) { $0.noteOnPaper }
    }
}
