import Exploration
import Machine
import Text
import Trace

/// A table of the final states of executions, most frequent first.
struct TerminalReport {
    private let rows: [TerminalTable.Row]
    private let others: Int
    private let names: MemoryNames
    /// The number of executions that ended; those that were given up or cut off are not in the table.
    private let executions: Int

    init(_ table: TerminalTable, _ names: MemoryNames) {
        rows = table.rows.sorted { $0.count > $1.count }
        others = table.others
        self.names = names
        executions = table.rows.reduce(table.others) { $0 + $1.count }
    }

    func write(to sink: inout ByteSink) {
        let lines = [["count", "share", "outcome", "memory", "schedule"]] + rows.map(line)
        let widths = (0..<4).map { column in lines.map { $0[column].count }.max() ?? 0 }
        for line in lines {
            for (column, width) in widths.enumerated() {
                let blanks = String(repeating: " ", count: width - line[column].count)
                sink.write(column < 2 ? blanks + line[column] : line[column] + blanks)
                sink.write("  ")
            }
            sink.write(line[4])
            sink.endLine()
        }
        guard others > 0 else { return }
        sink.write("and \(others) executions that ended in other states")
        sink.endLine()
    }

    private func line(_ row: TerminalTable.Row) -> [String] {
        let memory = names.values(row.state).map { "\($0.name)=\($0.value)" }.joined(separator: " ").printable
        let permille = (row.count * 1000 + executions / 2) / max(1, executions)
        return [
            "\(row.count)", "\(permille / 10).\(permille % 10)%", row.state.kind.rawValue, memory,
            row.schedule.description,
        ]
    }
}
