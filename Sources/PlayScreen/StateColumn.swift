import Play
import Text

/// The part of the screen with threads and objects, beside the source: in sentences if there is room, otherwise on one
/// line each.
struct StateColumn {
    struct Line {
        var text: String
        /// The thread that the line is about. Nil: it is about objects.
        var thread: Int?
        var state: ThreadRow.State?
    }

    /// The screen column at which this part begins. 0: no source is shown beside it.
    let left: Int
    /// Threads and objects in sentences.
    private let sentences: [Line]
    /// A short line for each thread.
    private let brief: [Line]
    private let briefObjects: [String]
    private let width: Int

    init(_ session: PlaySession, columns: Int, hasSource: Bool) {
        let threads = session.threadRows
        let brief = threads.map { Self.line($0, $0.name, $0.brief) }
        let needed = brief.map { ScreenText.columns($0.text) }.max() ?? 0
        // This part gets half of the screen or, if the short lines of the threads need more, up to three fifths.
        let left = hasSource ? min(columns / 2, max(columns - needed, columns * 2 / 5)) : 0
        self.left = left
        let width = columns - left
        self.width = width
        let room = max(width - 4, 8)
        let full =
            threads.map { Self.line($0, $0.name, $0.sentence) } + session.objectLines.map { Line(text: "  \($0)") }
        sentences = full.flatMap { line in
            ScreenText.wrap(line.text, width: room).enumerated().map { index, text in
                Line(text: index == 0 ? text : "    " + text, thread: line.thread, state: line.state)
            }
        }
        self.brief = zip(brief, threads).map { line, row in
            let excess = ScreenText.columns(line.text) - width
            guard excess > 0 else { return line }
            let name = Self.shortened(row.name, to: max(5, row.name.count - excess))
            return Self.line(row, name, row.brief)
        }
        briefObjects = session.briefObjects
    }

    /// The shortened name keeps its end, which often distinguishes it from other names.
    private static func shortened(_ name: String, to most: Int) -> String {
        name.count <= most ? name : name.prefix(most - 1 - most / 2) + "~" + name.suffix(most / 2)
    }

    private static func line(_ row: ThreadRow, _ name: String, _ words: String) -> Line {
        Line(text: "\(mark(row.state)) \(row.thread) \(name): \(words)", thread: row.thread, state: row.state)
    }

    /// The mark before a thread.
    static func mark(_ state: ThreadRow.State) -> String {
        switch state {
        case .canStep: "*"
        case .cannotStep: "-"
        case .ended: "x"
        case .absent: " "
        }
    }

    /// The number of rows that show everything in its shortest form.
    var leastRows: Int { brief.count + packedObjects.count }

    /// The objects in their short form, several on a line.
    private var packedObjects: [Line] { Self.packed(briefObjects, gap: 3, width: width).map { Line(text: $0) } }

    /// The objects with as many on a line as fit, with this gap between them.
    static func packed(_ objects: [String], gap: Int, width: Int) -> [String] {
        var lines: [String] = []
        for object in objects {
            if let last = lines.last, ScreenText.columns(last) + ScreenText.columns(object) + gap <= width {
                lines[lines.count - 1] = last + String(repeating: " ", count: gap) + object
            } else {
                lines.append("  " + object)
            }
        }
        return lines
    }

    /// The lines in the fullest form that fits. If none fits, the last line says how many are left out.
    func lines(rows: Int) -> [Line] {
        if sentences.count <= rows { return sentences }
        let separate = brief + briefObjects.map { Line(text: "  " + $0) }
        if separate.count <= rows { return separate }
        let all = brief + packedObjects
        if all.count <= rows { return all }
        guard rows > 0 else { return [] }
        return all.prefix(rows - 1) + [Line(text: "  (and \(all.count - rows + 1) more: ':state')")]
    }
}
