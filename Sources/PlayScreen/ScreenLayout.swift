import Play
import Text
import Trace

/// Where everything is on a screen of some size. A pure function of the session: nothing here knows a terminal.
package struct ScreenLayout {
    private let session: PlaySession
    private let name: String
    private let rows: Int
    private let columns: Int
    private let ascii: Bool
    private var lines: [ScreenLine] = []

    /// Narrower screens have no source beside the threads.
    private static let leastForSource = 60
    private static let keys = "N step  <- -> move  ? why  h hint  p predict  b mark  r run  : command  q quit"

    /// - Parameters:
    ///   - messages: the answer to the last command.
    ///   - input: what is being typed. Nil: nothing is.
    package static func lines(
        _ session: PlaySession, name: String, messages: [String], input: String?, rows: Int, columns: Int, ascii: Bool
    ) -> [ScreenLine] {
        var layout = ScreenLayout(session: session, name: name, rows: rows, columns: columns, ascii: ascii)
        layout.layOut(messages, input)
        return layout.lines
    }

    private init(session: PlaySession, name: String, rows: Int, columns: Int, ascii: Bool) {
        self.session = session
        self.name = name
        self.rows = rows
        self.columns = columns
        self.ascii = ascii
    }

    private mutating func layOut(_ messages: [String], _ input: String?) {
        guard rows > 0, columns > 0 else { return }
        putTitle()
        if rows > 1 { put(input.map { ":" + $0 } ?? Self.keys, rows - 1, style: input == nil ? .dim : .plain) }
        let room = max(0, rows - 2)
        let wrapped = messages.flatMap { ScreenText.wrap($0, width: columns) }
        let messageRows = min(max(2, wrapped.count), max(room / 2, 1), room)
        putMessages(wrapped, at: 1 + room - messageRows, messageRows)
        let rest = room - messageRows
        let top = rest - rest / 2
        putUpper(rows: top)
        putLanes(at: 1 + top, rest / 2)
    }

    private mutating func put(
        _ text: String, _ row: Int, column: Int = 0, width: Int? = nil, style: ScreenLine.Style = .plain
    ) {
        guard (0..<rows).contains(row), column < columns else { return }
        let room = min(width ?? columns, columns - column)
        lines.append(ScreenLine(text, row: row, column: column, width: room, style: style, ascii: ascii))
    }

    private mutating func putTitle() {
        let (now, known) = session.length
        let mode = session.predicts ? "  predict" : ""
        let title = "\(name.printable)  step \(now) of \(known)\(mode)"
        put(title + String(repeating: " ", count: max(0, columns - ScreenText.columns(title))), 0, style: .reverse)
    }

    /// If not all fits, the first lines are shown.
    private mutating func putMessages(_ messages: [String], at row: Int, _ count: Int) {
        let isWhole = messages.count <= count
        for (index, line) in messages.prefix(isWhole ? count : max(0, count - 1)).enumerated() {
            put(line, row + index, style: .bold)
        }
        if !isWhole && count > 0 { put("(and \(messages.count - count + 1) more lines)", row + count - 1, style: .dim) }
    }

    // MARK: - Source and threads

    private mutating func putUpper(rows: Int) {
        let hasSource = columns >= Self.leastForSource
        let left = hasSource ? columns / 2 - 1 : 0
        if hasSource { putSource(width: left, rows) }
        putState(at: hasSource ? left + 1 : 0, rows)
    }

    private mutating func putState(at column: Int, _ count: Int) {
        let enabled = Set(session.enabled)
        let threads = zip(session.threads, session.threadLines).map { thread, line in
            let isOver = session.hasEnded(thread)
            let mark = enabled.contains(thread) ? "*" : isOver ? "x" : "-"
            return ("\(mark) \(line)", enabled.contains(thread) ? ScreenLine.Style.bold : isOver ? .dim : .plain)
        }
        let objects = session.objectLines.map { ("  \($0)", ScreenLine.Style.plain) }
        var rows: [(String, ScreenLine.Style)] = []
        for (text, style) in threads + objects {
            for (index, line) in ScreenText.wrap(text, width: max(columns - column - 4, 8)).enumerated() {
                rows.append((index == 0 ? line : "    " + line, style))
            }
        }
        // Wrapped sentences need room that a small screen may not have.
        if rows.count > count { rows = threads + objects }
        let isWhole = rows.count <= count
        for (index, (text, style)) in rows.prefix(isWhole ? count : max(0, count - 1)).enumerated() {
            put(text, 1 + index, column: column, style: style)
        }
        if !isWhole && count > 0 {
            put("  (and \(rows.count - count + 1) more: 'state')", count, column: column, style: .dim)
        }
    }

    /// The file in which the last step was taken, around its line.
    private mutating func putSource(width: Int, _ count: Int) {
        let sites = session.threads.filter { !session.hasEnded($0) }.compactMap { thread in
            session.site(of: thread).map { (thread, $0) }
        }
        let focus = sites.first { $0.0 == session.lastThread } ?? sites.first { $0.0 != 0 } ?? sites.first
        guard let file = focus?.1.file, let line = focus?.1.line else { return put("(no source)", 1, width: width) }
        let text = session.lines(ofFile: file)
        guard !text.isEmpty else { return put("(no source of \(file.printable))", 1, width: width) }
        let here = Dictionary(grouping: sites.filter { $0.1.file == file }, by: \.1.line)
        // All threads' lines, if they fit.
        let lines = here.keys.sorted()
        let first = lines.first ?? line
        let last = lines.last ?? line
        let center = last - first < count ? (first + last) / 2 : line
        let start = max(1, min(center - count / 2, text.count - count + 1))
        for row in 0..<count where start + row <= text.count {
            let number = start + row
            let threads = here[number, default: []].map { String($0.0) }.joined(separator: ",")
            let marks = threads.isEmpty ? "" : (threads.count > 4 ? "*" : threads) + ">"
            let padded = String(repeating: " ", count: max(0, 5 - marks.count)) + marks
            let isLast = here[number]?.contains { $0.0 == session.lastThread } ?? false
            let code = String(text[number - 1]).replacingTabs
            put("\(padded)\(number) \(code)", 1 + row, width: width, style: isLast ? .bold : .plain)
        }
    }

    // MARK: - Lanes

    private mutating func putLanes(at row: Int, _ count: Int) {
        guard count > 1, columns >= 20 else { return }
        put(String(repeating: ascii ? "-" : "─", count: columns), row, style: .dim)
        let lanes = session.lanes(width: columns, rows: count - 1, ascii: ascii)
        for (index, line) in lanes.suffix(count - 1).enumerated() { put(line, row + 1 + index) }
    }
}

extension String {
    fileprivate var replacingTabs: String {
        split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
    }
}
