import Execution
import Histories
import Machine
import Supervision
import Trace

/// A report on the calls in the last execution of a combination: what they returned and, if that is wrong, what they
/// should have returned.
struct HistoryReport {
    let text: String

    /// - Parameter outcome: how the execution ended.
    init<Object, Model>(_ program: OperationProgram<Object, Model>, _ outcome: OutcomeKind?) {
        let (history, model, criterion) = (program.history, program.model, program.criterion)
        let end = outcome == .deadlock ? .stuck : program.end
        let names = program.threadNames
        let call = { (number: Int) in model.calls[number].text }
        var lines = program.table
        if history.legalOrder(model, criterion, end: end) == nil {
            lines.append("")
            lines +=
                OrderReport(
                    history, history.nearestLegalOrder(model, criterion, end: end), criterion, names: names,
                    operation: call, answer: { $1.text }
                ).lines
        }
        text = lines.joined(separator: "\n")
    }
}

/// A report on an execution whose process has ended, perhaps in a crash. The execution is repeated in another process,
/// which writes into shared memory: before and after each call the calls so far, and at the end a `HistoryReport`,
/// unless it crashes.
struct RetoldHistory {
    let text: String

    /// The limit for computing between two steps, in nanoseconds of processor time.
    private static let stepTime: UInt64 = 1_000_000_000
    /// The size of the shared memory in bytes, many times what `OperationScenarios.mostCalls` calls need.
    private static let size = 1 << 18

    init<Object, Model>(
        _ program: OperationProgram<Object, Model>, _ schedule: Schedule, _ rules: RunRules
    ) throws {
        let board = try SharedText(size: Self.size, for: "the calls of an execution")
        program.board = board
        defer { program.board = nil }
        let plan = RunPlan(program, .replay(schedule), rules: try rules.machineRules())
        try RunOfFork.run(plan, stepTime: Self.stepTime) { run in
            board.text = HistoryReport(program, run.trace.outcome?.kind).text
        }
        text = board.text
    }
}

extension OperationProgram {
    var threadNames: [String] { history.calls.indices.map { OperationScenario.name(ofThread: $0) } }

    /// The calls so far, and their results.
    var table: [String] {
        let call = { (number: Int) in self.model.calls[number].text }
        return HistoryTable(history, names: threadNames, operation: call) { $1.text }.lines
    }
}
