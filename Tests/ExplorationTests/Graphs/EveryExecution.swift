import Execution
import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// What all executions of a program on the machine end in, found by trying one after the other.
struct EveryExecution {
    private(set) var ends: Set<Exploration.TerminalState> = []
    private(set) var hasRace = false
    /// Whether the limit of executions was enough, and none was cut off.
    private(set) var isComplete: Bool

    init(_ bytecode: Bytecode, _ model: MemoryModel, limit: Int, spurious: Int = 0) {
        var rules = Rules(maximumSteps: 400, spuriousWakeups: spurious)
        rules.model = model
        let engine = Engine(bytecode, rules: rules)
        var settings = StrategySettings()
        settings.rules = rules
        guard let search = StrategyChoice.dfs.make(settings) as? BoundedSearch else {
            preconditionFailure("dfs is a bounded search")
        }
        let races = RaceWatch()
        engine.observers = [races]
        var number = 0
        while number < limit && search.prepare(number) {
            number += 1
            let verdict = search.execute(engine)
            if verdict.isGood && races.firstRace != nil { hasRace = true }
            guard let kind = verdict.outcome else { continue }
            ends.insert(Exploration.TerminalState(kind, engine.machine.memory))
        }
        isComplete = number < limit && search.isComplete
    }
}
