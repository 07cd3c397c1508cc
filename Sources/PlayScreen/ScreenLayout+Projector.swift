import Play
import Text

/// The layout for a projector: few lines, in bold, with gaps between them.
extension ScreenLayout {
    /// Puts the messages at the bottom, in up to a third of the rows (in all if they come first), and threads, objects
    /// and steps in the rows above.
    ///
    /// - Parameter room: the number of rows between the title and the line with the keys.
    mutating func putProjected(room: Int) {
        let steps = session.lastSteps(1).map(\.text)
        // Messages that repeat other rows of the view are left out, unless a question is open.
        let repeated = Set(steps + [session.readyLine])
        let messages = content.messages.filter { session.isAsked || !repeated.contains($0) }
        let wrapped = messages.flatMap { ScreenText.wrapped($0, width: columns) }
        let most = content.comesFirst ? room : max(room / 3, 1)
        let messageRows = min(wrapped.count, most, room)
        if messageRows > 0 { putMessages(wrapped, at: 1 + room - messageRows, messageRows) }
        let rest = room - messageRows
        guard rest > 0 else { return }
        let lines = ProjectedLines(session, rows: rest, columns: columns).lines
        for (index, line) in lines.enumerated() where !line.text.isEmpty {
            var style = ScreenLine.Style(isBold: !line.isDim, isDim: line.isDim)
            if content.color, let thread = line.thread { style.color = Self.color(of: thread) }
            put(line.text, 1 + index, style: style)
        }
    }
}

/// Threads, objects and the last steps in a given number of rows, with gaps and source lines if there is room.
struct ProjectedLines {
    struct Line {
        var text: String
        /// The thread in whose color the line is shown.
        var thread: Int?
        var isDim = false

        static let gap = Line(text: "")
    }

    private(set) var lines: [Line] = []

    /// What is shown: with or without gaps and source lines, and how many steps.
    private struct Detail {
        var hasGapsBetweenThreads = false
        var hasGaps = false
        var hasCode = true
        var steps: Int
    }

    /// The levels of detail, the fullest first. The first that fits is shown.
    private static let details = [
        Detail(hasGapsBetweenThreads: true, hasGaps: true, steps: 4), Detail(hasGaps: true, steps: 4),
        Detail(hasGaps: true, steps: 2), Detail(steps: 1), Detail(hasCode: false, steps: 2),
        Detail(hasCode: false, steps: 0),
    ]

    private let session: PlaySession
    private let columns: Int

    init(_ session: PlaySession, rows: Int, columns: Int) {
        self.session = session
        self.columns = columns
        let threads = session.projectedThreads
        for detail in Self.details {
            lines = all(threads, detail)
            if lines.count <= rows { return }
        }
        let left = lines.count - rows + 1
        lines = lines.prefix(max(rows - 1, 0)) + [Line(text: "(and \(left) more: ':state')", isDim: true)]
    }

    /// All lines at this level of detail, however many.
    private func all(_ threads: [PlaySession.ProjectedThread], _ detail: Detail) -> [Line] {
        var lines: [Line] = detail.hasGaps ? [.gap] : []
        let width = threads.map { ScreenText.columns($0.row.name) }.max() ?? 0
        for (index, thread) in threads.enumerated() {
            if index > 0 && detail.hasGapsBetweenThreads { lines.append(.gap) }
            lines += threadLines(thread, nameWidth: width, hasCode: detail.hasCode)
        }
        let objects = StateColumn.packed(session.briefObjects, gap: 4, width: columns).map { Line(text: $0) }
        if detail.hasGaps && !objects.isEmpty { lines.append(.gap) }
        lines += objects
        let steps = session.lastSteps(detail.steps)
        if detail.hasGaps && !steps.isEmpty { lines.append(.gap) }
        return lines
            + steps.flatMap { step in
                ScreenText.wrapped("  " + step.text, width: columns).map { Line(text: $0, thread: step.thread) }
            }
    }

    /// The number of blanks around the number of a source line: five before it, and two after it.
    private static let numberBlanks = 7
    /// The minimum width for the text of a source line.
    private static let leastCodeWidth = 8

    /// The lines of a thread: its description, and below it its source line in full.
    private func threadLines(_ thread: PlaySession.ProjectedThread, nameWidth: Int, hasCode: Bool) -> [Line] {
        let row = thread.row
        let isGone = row.state == .ended || row.state == .absent
        let gap = String(repeating: " ", count: max(nameWidth - ScreenText.columns(row.name), 0))
        let head = "\(StateColumn.mark(row.state)) \(row.thread)  \(row.name)\(gap)  "
        let isLong = ScreenText.columns(head + thread.text) > columns
        let text = head + (isLong ? thread.shortText : thread.text)
        let rows = ScreenText.columns(text) <= columns ? [text] : ScreenText.wrap(text, width: columns, hanging: 5)
        var lines = rows.map { Line(text: $0, thread: row.thread, isDim: isGone) }
        guard hasCode, let code = thread.code else { return lines }
        let number = "\(code.line)"
        let marginWidth = number.count + Self.numberBlanks
        let codeWidth = max(columns - marginWidth, Self.leastCodeWidth)
        let pieces = ScreenText.wrap(code.text, width: codeWidth, hanging: 2)
        lines += pieces.enumerated().map { index, piece in
            let margin = index == 0 ? "     \(number)  " : String(repeating: " ", count: marginWidth)
            return Line(text: margin + piece, thread: row.thread)
        }
        return lines
    }
}
