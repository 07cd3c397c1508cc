import Arguments
import Console
import Costs
import Supervision
import Text
import Trace

/// `threadlab costs`: measures what threads, locks and atomics cost on this machine.
package enum CostsAction: Action {
    package struct Options: OptionGroup {
        let format: Listed<OutputForm>

        package init(_ list: inout OptionList) {
            format = list.outputForm()
        }
    }

    package static let command = TypedCommand<Options>(
        "costs", "Measure what threads, locks and atomics cost on this machine",
        discussion: """
            Measures the creation of threads, the switch between them, their memory, and locks, semaphores, atomics \
            and queues, free and contended by a second thread: in C on POSIX threads, in threadlab on real threads \
            (where every operation is recorded), and in Swift's Synchronization and Dispatch where they have it. \
            Foundation is not measured: threadlab does not link it. Each operation is repeated many times, so that \
            its data are in the cache. In parentheses is what the threading guide says, measured on another machine \
            many years ago. Takes some seconds; other programs that run meanwhile are part of what is measured.
            """,
        examples: [Example("costs", "a table with a bar for each figure")])

    package static func run(_ arguments: TypedArguments<Options>, in session: Session) throws -> ExitCode {
        var line = StatusLine()
        let rows = try CostTable.measure { name in if line.isDue { line.show("measuring: \(name)") } }
        line.clear()
        let report = CostsReport(rows)
        if arguments.format == .json {
            try StandardOutput.write { report.writeJSON(to: &$0) }
        } else {
            try StandardOutput.page(
                session.pager, report.text(width: session.textWidth, bar: session.terminal.drawsLines ? "█" : "#"))
        }
        return .expected
    }
}

/// The measured costs, as a table with bars or as JSON.
struct CostsReport {
    private let rows: [CostRow]

    init(_ rows: [CostRow]) { self.rows = rows }

    // MARK: - For people

    /// - Parameter bar: the character that bars are drawn with.
    package func text(width: Int, bar: Character) -> String {
        let layout = Layout(width: width)
        let machine = layout.wrap(
            "Medians, measured with \(Processors.count) processors: \(Processors.model ?? "unknown")")
        let guide = layout.wrap("The guide's figures are from \(CostTable.guideMachine).")
        let sections = [machine] + rows.map { section($0, width, bar) } + [guide]
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    /// The name of what was measured, and a line for each figure (one library's time or memory) with its bar, and its
    /// ratio to the first figure. The greatest figure has the longest bar; a figure alone has none.
    private func section(_ row: CostRow, _ width: Int, _ bar: Character) -> [String] {
        let layout = Layout(width: width)
        let head = layout.wrap(row.name + (row.guide.map { " (the guide: \($0))" } ?? ""))
        let nameWidth = row.figures.map(\.contender.count).max() ?? 0
        let greatest = row.figures.map(\.value).max() ?? 1
        return head
            + row.figures.enumerated().map { index, figure in
                let name = figure.contender + String(repeating: " ", count: nameWidth - figure.contender.count)
                let value = Self.amount(figure.value, row.unit)
                let padded = String(repeating: " ", count: max(0, Self.valueWidth - value.count)) + value
                let ratio = index == 0 ? "" : "  \(Self.decimal(figure.value / row.figures[0].value)) x"
                let room = width - nameWidth - Self.otherWidth
                let share = figure.value / greatest * Double(room)
                let length = room < Self.leastRoom ? 0 : max(1, Int(share.rounded()))
                let line = "  \(name)  \(padded)  \(String(repeating: bar, count: row.figures.count > 1 ? length : 0))"
                // Without blanks at its end, which a line without a bar has.
                return String((line + ratio).reversed().drop { $0 == " " }.reversed())
            }
    }

    /// The width of a value with its unit, in columns.
    private static let valueWidth = 9
    /// The width of what a line has besides the name and the bar: the value, the ratio, and the blanks between them.
    private static let otherWidth = 24
    /// With less room, bars are left out.
    private static let leastRoom = 5

    /// The value with one decimal place, in nanoseconds, microseconds or milliseconds, or in a unit of bytes.
    private static func amount(_ value: Double, _ unit: CostRow.Unit) -> String {
        switch unit {
        case .nanoseconds where value < 1000: "\(decimal(value)) ns"
        case .nanoseconds where value < 1_000_000: "\(decimal(value / 1000)) µs"
        case .nanoseconds: "\(decimal(value / 1_000_000)) ms"
        case .bytes: ReadableBytes.text(Int64(value))
        }
    }

    /// The value with one decimal place.
    private static func decimal(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10)"
    }

    // MARK: - For scripts

    func writeJSON(to sink: inout ByteSink) {
        sink.writeLine { json in
            json.member("processors", Processors.count)
            json.array("rows", separator: ",\n") { json in
                json.endLine()
                for row in rows { json.object { write(row, to: &$0) } }
            }
        }
    }

    private func write(_ row: CostRow, to json: inout JSONObject) {
        json.member("name", row.name)
        json.member("unit", row.unit.rawValue)
        json.object("figures") { json in
            for figure in row.figures { json.member(named: figure.contender, JSONText(Self.decimal(figure.value))) }
        }
        json.member("guide", row.guide)
    }
}
