import Exploration
import Machine
import Supervision
import Trace

/// The names of the memory in which executions left their final values.
struct MemoryNames {
    private var names: [ObjectIdentity: String] = [:]

    /// Repeats an execution for each state that contains an object not seen before.
    init(_ table: TerminalTable, _ plan: SearchPlan) throws {
        for row in table.rows where row.state.memory.contains(where: { names[$0.object] == nil }) {
            var run = RunPlan(plan.scenario, .replay(row.schedule), timeout: plan.stepTime, rules: plan.rules)
            run.isSilent = true
            let trace = try Supervisor.run(run).trace
            addNames(of: trace)
            for word in row.state.memory where names[word.object] == nil { names[word.object] = "" }
        }
    }

    /// The objects of a trace are in the order of their creation.
    private mutating func addNames(of trace: TraceDocument) {
        var made = [Int](repeating: 0, count: trace.threads.count)
        for case let object? in trace.objects {
            let maker = Int(object.maker.index)
            guard made.indices.contains(maker) else { continue }
            // The internal parts of a built object mean nothing to a reader.
            names[ObjectIdentity(maker: maker, nth: made[maker])] = object.kind == .part ? "" : object.name
            made[maker] += 1
        }
    }

    /// The values of the named memory in a state.
    func values(_ state: TerminalState) -> [(name: String, value: Int)] {
        state.memory.compactMap { word in
            guard let name = names[word.object], !name.isEmpty, word.value != Event.noNumber else { return nil }
            return (name, word.value)
        }
    }
}
