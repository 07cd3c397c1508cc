import Console
import Exploration
import Machine
import Supervision
import Text
import Trace

/// The table of `explore --outcomes`: the final states of executions, the most frequent first.
struct TerminalReport {
    private let rows: [TerminalTable.Row]
    /// The number of executions that ended in states for which the table had no room.
    private let others: Int
    private let names: MemoryNames
    /// The states that each memory model allows. Nil: that is not known, or the memory models do not differ.
    private let models: OutcomeModels?
    /// The number of executions that ended, which is 100%. Others, such as those beyond the step limit, are not
    /// counted.
    private let executions: Int

    init(_ table: TerminalTable, _ names: MemoryNames, _ models: OutcomeModels?) {
        self.models = models
        rows = table.rows.sorted { $0.count > $1.count }
        others = table.others
        self.names = names
        executions = table.rows.reduce(table.others) { $0 + $1.count }
    }

    func write(to sink: inout ByteSink) {
        let columns = models?.models.map(\.rawValue) ?? []
        let heads = ["count", "share", "outcome", "memory"] + columns
        let lines =
            [heads + ["schedule"]] + rows.map { line($0) }
            + (models?.others ?? []).map { line($0.row, only: $0.model) }
        // The last column, the schedule, is not padded.
        let last = heads.count
        let widths = (0..<last).map { column in lines.map { $0[column].count }.max() ?? 0 }
        for line in lines {
            for (column, width) in widths.enumerated() {
                let blanks = String(repeating: " ", count: width - line[column].count)
                // The count and the share are numbers, and aligned at the right.
                sink.write(column < 2 ? blanks + line[column] : line[column] + blanks)
                sink.write("  ")
            }
            sink.write(line[last])
            sink.endLine()
        }
        guard others > 0 else { return }
        sink.write("and \(others) executions that ended in other states")
        sink.endLine()
    }

    /// The cells of a row.
    ///
    /// - Parameter model: the model in whose search the state was found, if not in the search under the plan's own
    ///   model.
    private func line(_ row: TerminalTable.Row, only model: MemoryModel? = nil) -> [String] {
        let memory = names.values(row.state).map { "\($0.name)=\($0.text)" }.joined(separator: " ").printable
        // In tenths of a percent, rounded.
        let permille = (row.count * 1000 + executions / 2) / max(1, executions)
        let numbers = model == nil ? ["\(row.count)", "\(permille / 10).\(permille % 10)%"] : ["0", "0.0%"]
        let allowed = models?.allow(row.state).map { $0.map { $0 ? "yes" : "no" } ?? "?" } ?? []
        let schedule = model.map { "--model \($0.rawValue) " } ?? ""
        return numbers + [row.state.kind.rawValue, memory] + allowed + [schedule + row.schedule.description]
    }
}

/// The names of the objects whose final values the table of outcomes shows. A search knows objects only by numbers, so
/// some executions are repeated with their events, which contain the names.
struct MemoryNames {
    private struct Memory {
        let name: String
        let kind: ObjectKind

        /// An object that is not shown.
        static let nameless = Memory(name: "", kind: .part)
    }

    private var names: [ObjectIdentity: Memory] = [:]
    /// What pointers point to, by their values.
    private var targets: [Int64: String] = [:]
    /// The time that a repeated execution has even if the time of the search is over, in nanoseconds.
    private static let reprieve: UInt64 = 200_000_000

    /// Repeats an execution for each state that contains an object not seen before.
    init(_ table: TerminalTable, _ plan: SearchPlan) throws {
        for row in table.rows where row.state.memory.contains(where: { names[$0.object] == nil }) {
            var run = RunPlan(plan.scenario, .replay(row.schedule), timeout: plan.stepTime, rules: plan.rules)
            run.isSilent = true
            run.end = plan.end?.orAfter(Self.reprieve)
            let trace = try Supervisor.run(run).trace
            addNames(of: trace)
            for word in row.state.memory where names[word.object] == nil { names[word.object] = .nameless }
        }
    }

    /// Adds the names of the objects in a trace. An object is identified by the thread that made it and by how many
    /// that thread had made before; the trace lists objects in the order of their creation.
    private mutating func addNames(of trace: TraceDocument) {
        var made = [Int](repeating: 0, count: trace.threads.count)
        targets.merge(trace.targets) { first, _ in first }
        for case let object? in trace.objects {
            let maker = Int(object.maker.index)
            guard made.indices.contains(maker) else { continue }
            // The internal parts of a built object mean nothing to a reader.
            names[ObjectIdentity(maker: maker, nth: made[maker])] =
                object.kind == .part ? .nameless : Memory(name: object.name, kind: object.kind)
            made[maker] += 1
        }
    }

    /// The values of the named memory in a state.
    func values(_ state: TerminalState) -> [(name: String, value: Int, text: String)] {
        state.memory.compactMap { word in
            // An object whose value is not a number, such as a list, has none to show.
            guard let memory = names[word.object], !memory.name.isEmpty, word.value != Event.noNumber else {
                return nil
            }
            let text =
                memory.kind.isPointer
                ? targets[Int64(word.value)]?.printable ?? WordText.text(ofAddress: word.value)
                : WordText.text(word.value, isBoolean: memory.kind.isBoolean)
            return (memory.name, word.value, text)
        }
    }
}
