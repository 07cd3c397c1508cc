import Play
import Text
import Trace

/// What is shown where on a screen of a given size: a title; source, threads and objects; lanes; messages; and a line
/// with the keys. It is computed from the session, without a terminal.
package struct ScreenLayout {
    /// The state of the screen besides the session.
    package struct Content {
        /// The name of the program or the trace, for the title.
        package var name: String
        /// The answer to the last command, and the number of its lines that have been read.
        package var messages: [String]
        package var linesRead = 0
        /// Whether the messages were asked for by a typed command, such as `help`, and may hide the rest.
        package var comesFirst = false
        /// The text that is being typed. Nil: none.
        package var input: String?
        /// The first line of the source to show, if the user scrolls. Nil: the lines around the threads are shown.
        package var firstLine: Int?
        package var ascii = false
        package var color = false
        /// Whether the screen is shown to an audience: with few lines, in bold.
        package var isProjected = false

        package init(name: String, messages: [String]) {
            self.name = name
            self.messages = messages
        }
    }

    let session: PlaySession
    let content: Content
    let rows: Int
    let columns: Int
    /// The pieces of text on the screen.
    package private(set) var lines: [ScreenLine] = []
    /// The first line of the source that is shown. Nil: no source is shown.
    package internal(set) var firstLine: Int?
    /// If the messages do not all fit: how many of their lines are shown. Nil: they fit, or there is no row for them.
    package private(set) var shownMessages: Int?

    /// The least width of a screen that shows source beside the threads.
    private static let leastForSource = 60
    /// The least number of useful rows of lanes, including the rule above them.
    private static let leastLanes = 4
    /// The least width of a screen that shows lanes.
    private static let leastForLanes = 20

    package init(_ session: PlaySession, _ content: Content, rows: Int, columns: Int) {
        self.session = session
        self.content = content
        self.rows = rows
        self.columns = columns
        guard rows > 0, columns > 0 else { return }
        putTitle()
        if rows > 1 {
            let keys = ScreenKeys(session, isProjected: content.isProjected).line(width: columns)
            let style: ScreenLine.Style = content.isProjected ? .bold : content.input == nil ? .dim : .plain
            put(content.input.map { ":" + $0 } ?? keys, rows - 1, style: style)
        }
        if content.isProjected { putProjected(room: max(0, rows - 2)) } else { putRest(room: max(0, rows - 2)) }
    }

    /// Puts the messages at the bottom, in up to half of the rows (in all if they come first); source, threads and
    /// objects at the top; and lanes in the rows between them, if there are enough.
    ///
    /// - Parameter room: the number of rows between the title and the line with the keys.
    private mutating func putRest(room: Int) {
        let wrapped = content.messages.flatMap { ScreenText.wrapped($0, width: columns) }
        let most = content.comesFirst ? room : max(room / 2, 1)
        // Two rows at least, so that an answer of two lines needs no more room than one of one line.
        let messageRows = min(max(2, wrapped.count), most, room)
        putMessages(wrapped, at: 1 + room - messageRows, messageRows)
        let rest = room - messageRows
        guard rest > 0 else { return }
        let state = StateColumn(session, columns: columns, hasSource: columns >= Self.leastForSource)
        let wanted = max(rest - rest / 2, state.leastRows)
        let top = rest - wanted < Self.leastLanes ? rest : wanted
        putUpper(state, rows: top)
        putLanes(at: 1 + top, rest - top)
    }

    /// Puts a text on the screen, cut at `width` and at the screen's edge. Outside of the screen, nothing is put.
    mutating func put(
        _ text: String, _ row: Int, column: Int = 0, width: Int? = nil, style: ScreenLine.Style = .plain
    ) {
        guard (0..<rows).contains(row), column < columns else { return }
        let room = min(width ?? columns, columns - column)
        lines.append(ScreenLine(text, row: row, column: column, width: room, style: style, ascii: content.ascii))
    }

    private mutating func putTitle() {
        let (now, known) = session.length
        let mode = session.predicts ? "  predict" : ""
        let title = "\(content.name.printable)  step \(now) of \(known)\(mode)"
        put(title + String(repeating: " ", count: max(0, columns - ScreenText.columns(title))), 0, style: .reverse)
    }

    /// Puts the messages that have not been read. If they do not fit, the last row says so.
    mutating func putMessages(_ messages: [String], at row: Int, _ count: Int) {
        let rest = messages.dropFirst(content.linesRead < messages.count ? content.linesRead : 0)
        let isWhole = rest.count <= count
        let end = session.endLines.first
        for (index, line) in rest.prefix(isWhole ? count : max(0, count - 1)).enumerated() {
            let endsRun = end?.hasPrefix(line) == true
            put(line, row + index, style: endsRun && content.color ? (session.endedWell ? .good : .bad) : .bold)
        }
        guard !isWhole && count > 0 else { return }
        shownMessages = count - 1
        put("(\(rest.count - count + 1) more lines: Space)", row + count - 1, style: .dim)
    }

    // MARK: - Source and threads

    private mutating func putUpper(_ state: StateColumn, rows: Int) {
        if state.left > 0 { putSource(width: state.left - 1, rows) }
        for (index, line) in state.lines(rows: rows).enumerated() {
            var style = ScreenLine.Style.plain
            switch line.state {
            case .canStep: style.isBold = true
            case .ended, .absent: style.isDim = true
            case .cannotStep, nil: break
            }
            if content.color, let thread = line.thread { style.color = Self.color(of: thread) }
            put(line.text, 1 + index, column: state.left, style: style)
        }
    }

    /// The color of a thread, as a number of the terminal: cyan, yellow, magenta, green, blue or bright red, as in the
    /// lanes.
    static func color(of thread: Int) -> Int { [6, 3, 5, 2, 4, 9][thread % 6] }

    // MARK: - Lanes

    private mutating func putLanes(at row: Int, _ count: Int) {
        guard count > 1, columns >= Self.leastForLanes else { return }
        put(String(repeating: content.ascii ? "-" : "─", count: columns), row, style: .dim)
        let lanes = session.lanes(width: columns, rows: count - 1, ascii: content.ascii, color: content.color)
        for (index, line) in lanes.suffix(count - 1).enumerated() {
            var column = 0
            for (text, style) in ScreenLine.Style.pieces(of: line) where column < columns {
                put(String(text), row + 1 + index, column: column, style: style)
                column += ScreenText.columns(String(text))
            }
        }
    }
}

/// The line with the keys. If there is little room, the most important ones remain.
struct ScreenKeys {
    /// The words in the order of the line. Those with the lowest ranks remain longest.
    private let words: [(text: String, rank: Int)]

    /// - Parameter isProjected: whether the line is for an audience: it names each key that steps a thread.
    init(_ session: PlaySession, isProjected: Bool) {
        let threads = session.enabled.filter { $0 < 10 }.map { "\($0)" }
        words =
            session.isAskedOfStep
            ? [("type the answer", 0), ("Escape: no step", 2), ("q quit", 1)]
            : isProjected
                ? [
                    (threads.isEmpty ? "the run is over" : "press \(Self.alternatives(threads))", 0), ("<- back", 2),
                    ("-> forward", 4), ("? why", 3), ("h hint", 5), ("q quit", 1),
                ]
                : [
                    ("N step", 0), ("<- -> move", 3), ("? why", 2), ("h hint", 4), ("p predict", 7), ("r run", 6),
                    ("^ v source", 8), (": command", 5), ("q quit", 1),
                ]
    }

    private static func alternatives(_ keys: [String]) -> String {
        keys.count < 2 ? keys.joined() : keys.dropLast().joined(separator: ", ") + " or " + keys[keys.count - 1]
    }

    func line(width: Int) -> String {
        for count in stride(from: words.count, to: 0, by: -1) {
            let line = words.filter { $0.rank < count }.map(\.text).joined(separator: "  ")
            if ScreenText.columns(line) <= width { return line }
        }
        return words[0].text
    }
}
