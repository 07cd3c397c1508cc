import Text

/// The text of a program on a page, in one column or two, in the largest size with which it fits.
struct HandoutSource {
    private struct Row {
        /// The number of the line. Empty if the row continues a line, or stands for lines that are left out.
        var number: String
        var text: Label
        /// The indentation in characters.
        var indent: Int
    }

    /// A way to set the text: the number of columns beside each other, and the sizes of the font and of a line in
    /// pixels.
    private struct Print {
        let columns: Int
        let size: Int
        let lineHeight: Int
    }

    /// From the largest to the smallest.
    private static let prints = [
        Print(columns: 1, size: 13, lineHeight: 17), Print(columns: 1, size: 12, lineHeight: 15),
        Print(columns: 2, size: 12, lineHeight: 15), Print(columns: 2, size: 11, lineHeight: 14),
        Print(columns: 2, size: 10, lineHeight: 12), Print(columns: 2, size: 9, lineHeight: 11),
    ]
    private static let padding = 10
    private static let gap = 16
    /// The width of a character in `monospace`, in thousandths of its height.
    private static let character = 602

    private let print: Print
    private let rows: [Row]
    private let width: Int
    private let numberColumns: Int
    /// The number of lines of the program that do not fit.
    let omitted: Int

    init(_ lines: [HandoutProgram.Line], width: Int, mostHeight: Int) {
        self.width = width
        let numberColumns = String(lines.map(\.number).max() ?? 0).count
        self.numberColumns = numberColumns
        var print = Self.prints[0]
        var rows: [Row] = []
        for candidate in Self.prints {
            print = candidate
            rows = Self.rows(lines, Self.textColumns(candidate, width, numberColumns))
            if Self.height(rows.count, candidate) <= mostHeight { break }
        }
        let most = max((mostHeight - 2 * Self.padding) / print.lineHeight * print.columns, print.columns)
        if rows.count > most {
            let kept = rows.prefix(most - 1)
            let last = kept.last { !$0.number.isEmpty }.flatMap { Int($0.number) } ?? 0
            omitted = lines.count { $0.number > last }
            rows = kept + [Row(number: "", text: Label("… \(omitted) more lines"), indent: 0)]
        } else {
            omitted = 0
        }
        self.print = print
        self.rows = rows
    }

    var height: Int { Self.height(rows.count, print) }

    var style: String { "\n.code { font-family: monospace; font-size: \(print.size)px; fill: #222222; }" }

    func write(x: Int, y: Int, to canvas: inout SVGCanvas) {
        canvas.panel(x: x, y: y, width: width, height: height)
        let perColumn = Self.perColumn(rows.count, print)
        for (index, row) in rows.enumerated() {
            let (column, line) = (index / perColumn, index % perColumn)
            let left = x + Self.padding + column * (Self.columnWidth(print, width) + Self.gap)
            let middle = y + Self.padding + line * print.lineHeight + print.lineHeight / 2
            let text = left + offset(numberColumns + 2 + row.indent)
            canvas.text(row.number, x: left + offset(numberColumns), y: middle - 1, .number)
            canvas.text(row.text.text, x: text, y: middle - 1, .code)
        }
    }

    /// The distance of a character from the beginning of its line, in pixels.
    private func offset(_ column: Int) -> Int { column * print.size * Self.character / 1000 }

    // MARK: - Measures

    private static func perColumn(_ rows: Int, _ print: Print) -> Int {
        max((rows + print.columns - 1) / print.columns, 1)
    }

    private static func height(_ rows: Int, _ print: Print) -> Int {
        perColumn(rows, print) * print.lineHeight + 2 * padding
    }

    private static func columnWidth(_ print: Print, _ width: Int) -> Int {
        (width - 2 * padding - (print.columns - 1) * gap) / print.columns
    }

    private static func textColumns(_ print: Print, _ width: Int, _ numberColumns: Int) -> Int {
        max(columnWidth(print, width) * 1000 / (print.size * character) - numberColumns - 2, 20)
    }

    /// The rows of the lines. A line that is too long continues below, indented.
    private static func rows(_ lines: [HandoutProgram.Line], _ columns: Int) -> [Row] {
        lines.flatMap { line -> [Row] in
            let text = line.text.replacingTabs
            let indent = min(text.prefix { $0 == " " }.count, columns / 2)
            let label = Label(String(text.drop { $0 == " " }))
            let number = line.number == 0 ? "" : String(line.number)
            guard label.width > columns - indent else { return [Row(number: number, text: label, indent: indent)] }
            return label.pieces(within: columns - indent - 4).enumerated().map { index, piece in
                Row(number: index == 0 ? number : "", text: piece, indent: indent + (index == 0 ? 0 : 4))
            }
        }
    }
}

extension String {
    /// The line with each tab replaced by four blanks.
    fileprivate var replacingTabs: String {
        split(separator: "\t", omittingEmptySubsequences: false).joined(separator: "    ")
    }
}
