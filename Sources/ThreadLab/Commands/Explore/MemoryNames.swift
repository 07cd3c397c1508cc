import Exploration
import Machine
import Supervision
import Trace

/// What the memory is called in which executions left their values.
struct MemoryNames {
    private var names: [ObjectIdentity: String] = [:]

    /// Asks a run for each state that has an object which those before had not.
    init(_ table: TerminalTable, _ plan: SearchPlan) throws {
        for row in table.rows where row.state.memory.contains(where: { names[$0.object] == nil }) {
            var run = RunPlan(plan.scenario, .replay(row.schedule), timeout: plan.stepTime, rules: plan.rules)
            run.isSilent = true
            let trace = try Supervisor.run(run).trace
            addNames(of: trace)
            for word in row.state.memory where names[word.object] == nil { names[word.object] = "" }
        }
    }

    /// The objects of a trace are in the order in which they were made.
    private mutating func addNames(of trace: TraceDocument) {
        var made = [Int](repeating: 0, count: trace.threads.count)
        for case let object? in trace.objects {
            let maker = Int(object.maker.index)
            guard made.indices.contains(maker) else { continue }
            // What is only a part of something built says nothing to a reader.
            names[ObjectIdentity(maker: maker, nth: made[maker])] = object.kind == .part ? "" : object.name
            made[maker] += 1
        }
    }

    /// What a state's memory holds that has a name.
    func values(_ state: TerminalState) -> [(name: String, value: Int)] {
        state.memory.compactMap { word in
            guard let name = names[word.object], !name.isEmpty, word.value != Event.noNumber else { return nil }
            return (name, word.value)
        }
    }
}
