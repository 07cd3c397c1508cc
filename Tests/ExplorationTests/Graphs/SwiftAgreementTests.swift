import Execution
import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// Swift's atomics under a weaker memory model: the outcomes of random programs, tried one by one, are those of the same program in
/// a `.lab` file, searched by graphs.
@Suite struct SwiftAgreementTests {
    /// Nil: the limit was too small.
    private func outcomes(_ program: SwiftProgram, _ rules: Rules, limit: Int) -> Set<[Int]>? {
        var found: Set<[Int]> = []
        var settings = StrategySettings()
        settings.rules = rules
        let search = StrategyChoice.dfs.make(settings)
        let subject = ControlledSubject(rules) { try program.run { found.insert($0) } }
        var number = 0
        while search.prepare(number) {
            if number == limit { return nil }
            let verdict = search.execute(subject)
            #expect(verdict == .completed, "\(program.text)")
            number += 1
        }
        return found
    }

    private func outcomesOfText(_ program: SwiftProgram, _ rules: Rules) throws -> Set<[Int]> {
        let graphs = EveryGraph(try TestProgram(program.text).bytecode, rules.model, spurious: rules.spuriousWakeups)
        try #require(graphs.isComplete && !graphs.hasRace)
        return Set(graphs.ends.map { end in end.memory.map(\.value) })
    }

    @Test(arguments: [MemoryModel.tso, .rc11], [0, 1])
    func `a random program in Swift has the outcomes of its text`(_ model: MemoryModel, _ spurious: Int) throws {
        var rules = Rules(maximumSteps: 400, spuriousWakeups: spurious)
        rules.model = model
        var compared = 0
        for seed in UInt64(0)..<30 {
            let program = SwiftProgram(seed: seed)
            guard let found = outcomes(program, rules, limit: 2000) else { continue }
            compared += 1
            let expected = try outcomesOfText(program, rules)
            #expect(found == expected, "\(model), \(spurious)\n\(program.text)")
        }
        #expect(compared >= 10, "\(compared)")
    }
}
