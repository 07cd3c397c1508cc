import Play
import Text
import Trace

/// The part of the screen with the source: the file in which the last step was taken, around the lines at which the
/// threads are.
extension ScreenLayout {
    /// - Parameter count: the number of rows.
    mutating func putSource(width: Int, _ count: Int) {
        let marks = session.marks
        let focus = marks.first { $0.thread == session.lastThread } ?? marks.first { $0.thread != 0 } ?? marks.first
        guard let (thread, site) = focus else { return put("(no source)", 1, width: width) }
        let text = session.lines(ofFile: site.file)
        guard text.contains(where: { !$0.isEmpty }) else {
            return put("(no source of \(site.file.printable))", 1, width: width)
        }
        let here = Dictionary(grouping: marks.filter { $0.site.file == site.file }, by: \.site.line)
            .mapValues { $0.map(\.thread) }
        let page = SourcePage(text, marks: here.mapValues(PlaySession.ranges), width: width)
        let chosen = content.firstLine.map { page.clamped($0, rows: count) }
        let start = chosen ?? page.start(around: site.line, rows: count)
        firstLine = start
        for (index, row) in page.rows(from: start, isRead: content.firstLine != nil).prefix(count).enumerated() {
            let threads = here[row.line] ?? []
            var style = ScreenLine.Style.plain
            if row.line == site.line { style.isBold = true }
            if content.color, threads.contains(thread) || threads.count == 1 {
                style.color = Self.color(of: threads.contains(thread) ? thread : threads[0])
            }
            put(row.text, 1 + index, width: width, style: style)
        }
    }
}

/// The lines of a file with their numbers, and with marks before those at which threads are: `1-3> 12 lock.lock()`.
/// Marked lines are wrapped, others are cut.
struct SourcePage {
    /// A row on the screen: a line, or a piece of one.
    struct Row {
        let line: Int
        let text: String
    }

    private let text: [Substring]
    /// By line number: the threads at the line, and `>`.
    private let marks: [Int: String]
    /// Widths in columns: of the page, of the marks, and of the line numbers.
    private let width: Int
    private let markWidth: Int
    private let numberWidth: Int

    /// The maximum number of lines on a screen.
    private static let mostLines = 200
    /// With less room beside the number, in columns, a line is cut, not wrapped.
    private static let leastCodeWidth = 9

    init(_ text: [Substring], marks: [Int: String], width: Int) {
        self.text = text.last?.isEmpty == true ? text.dropLast() : text
        self.width = width
        // The list of threads at a line takes a third of the width at most, and is cut if it is longer.
        let most = max(4, width / 3)
        self.marks = marks.mapValues { ($0.count > most ? $0.prefix(most - 1) + "+" : $0) + ">" }
        markWidth = max(3, self.marks.values.map(\.count).max() ?? 0)
        numberWidth = String(text.count).count
    }

    /// The first line to show if the user scrolls to this one: it is limited such that the text fills the rows.
    func clamped(_ line: Int, rows: Int) -> Int {
        var last = text.count
        var used = 0
        while last >= 1 {
            used += self.rows(of: last, isWhole: true).count
            if used > rows { break }
            last -= 1
        }
        return max(1, min(line, min(last + 1, text.count)))
    }

    /// The first line to show such that all marked lines are visible or, if they do not fit, those around this one.
    func start(around line: Int, rows: Int) -> Int {
        // A trace may contain line numbers that the file does not have.
        let within = { (line: Int) in max(1, min(line, max(1, text.count))) }
        let line = within(line)
        let first = within(marks.keys.min() ?? line)
        let last = within(marks.keys.max() ?? line)
        let fits = height(first...last) <= rows
        let middle = fits ? first...last : line...line
        var (start, used) = (middle.lowerBound, height(middle))
        var end = middle.upperBound
        // Adds lines above and below alternately.
        while used < rows, start > 1 || end < text.count {
            if start > 1 {
                start -= 1
                used += height(start...start)
                if used > rows { return start + 1 }
            }
            if used < rows, end < text.count {
                end += 1
                used += height(end...end)
            }
        }
        return start
    }

    /// The number of rows that the lines need.
    private func height(_ lines: ClosedRange<Int>) -> Int {
        lines.reduce(0) { $0 + rows(of: $1, isWhole: marks[$1] != nil).count }
    }

    /// The rows from this line on, at least as many as any screen has.
    ///
    /// - Parameter isRead: whether the user scrolls in the source, so that all lines are shown in full.
    func rows(from start: Int, isRead: Bool) -> [Row] {
        (start...max(start, min(text.count, start.added(saturating: Self.mostLines)))).flatMap { line in
            rows(of: line, isWhole: isRead || marks[line] != nil)
        }
    }

    /// The rows of a line.
    ///
    /// - Parameter isWhole: whether it is wrapped. Otherwise it has one row, which is cut when it is put on the screen.
    private func rows(of line: Int, isWhole: Bool) -> [Row] {
        guard text.indices.contains(line - 1) else { return [] }
        let mark = marks[line] ?? ""
        let number = "\(line)"
        let head = Self.blanks(markWidth - mark.count) + mark + Self.blanks(numberWidth - number.count) + number + " "
        let code = String(text[line - 1]).replacingTabs
        let room = width - head.count
        guard isWhole, room >= Self.leastCodeWidth, ScreenText.columns(code) > room else {
            return [Row(line: line, text: head + code)]
        }
        let indent = code.prefix { $0 == " " }.count
        let hanging = min(indent + 2, room / 2)
        return ScreenText.wrap(code, width: room, hanging: hanging).enumerated().map { index, piece in
            Row(line: line, text: index == 0 ? head + piece : Self.blanks(head.count) + piece)
        }
    }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

extension String {
    fileprivate var replacingTabs: String {
        split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
    }
}
