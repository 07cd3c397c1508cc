import Execution
import LabExecution
import Machine
import Testing
import Trace

@testable import Exploration

/// Random programs that do something in each round of their loops, which searches leave out where they lead nowhere.
@Suite struct WeakLoopTests {
    /// What a complete search has shown.
    private struct Shown {
        let name: String
        let ends: Set<Exploration.TerminalState>
        let hasRace: Bool
    }

    /// The complete ones of the two searches, each of which deals with loops in its own way.
    private func searches(_ bytecode: Bytecode, _ model: MemoryModel) -> [Shown] {
        var searches: [Shown] = []
        let graphs = EveryGraph(bytecode, model, most: 500)
        #expect(graphs.obstacle != .misjudged)
        if graphs.isComplete { searches.append(Shown(name: "graphs", ends: graphs.ends, hasRace: graphs.hasRace)) }
        let all = EveryExecution(bytecode, model, limit: 300)
        if all.isComplete { searches.append(Shown(name: "dfs", ends: all.ends, hasRace: all.hasRace)) }
        return searches
    }

    @Test(arguments: 0..<4, [MemoryModel.tso, .rc11]) func `searches agree, and miss nothing`(
        _ block: Int, _ model: MemoryModel
    ) throws {
        var searched = 0
        for seed in UInt64(block * 5)..<UInt64(block * 5 + 5) {
            let program = WeakLoopProgram(seed: seed)
            let bytecode = try TestProgram(program.text).bytecode
            let searches = searches(bytecode, model)
            guard let first = searches.first else { continue }
            searched += 1
            for other in searches.dropFirst() {
                let hint: Comment = "\(first.name), \(other.name), seed \(seed)\n\(program.text)"
                #expect(other.hasRace == first.hasRace, hint)
                if !first.hasRace { #expect(other.ends == first.ends, hint) }
            }
            if first.hasRace { continue }
            try expectLimited(program, model, in: first)
            expectWalks(bytecode, model, in: first, program.text)
        }
        #expect(searched >= 2)
    }

    /// What ends in few rounds, ends so also where rounds have no limit.
    private func expectLimited(_ program: WeakLoopProgram, _ model: MemoryModel, in shown: Shown) throws {
        let limited = EveryGraph(try TestProgram(program.limited).bytecode, model, most: 2000)
        let hint: Comment = "\(shown.name)\n\(program.text)"
        #expect(!limited.hasRace, hint)
        #expect(limited.ends.filter { $0.kind == .completed }.isSubset(of: shown.ends), hint)
    }

    private func expectWalks(_ bytecode: Bytecode, _ model: MemoryModel, in shown: Shown, _ text: String) {
        var rules = Rules(maximumSteps: 400)
        rules.model = model
        let engine = Engine(bytecode, rules: rules)
        let races = RaceWatch()
        engine.observers = [races]
        let walk = RandomWalk(seed: 1)
        for number in 0..<30 where walk.prepare(number) {
            let verdict = engine.run(walk)
            #expect(!verdict.isGood || races.firstRace == nil, "\(shown.name)\n\(text)")
            guard let kind = verdict.outcome else { continue }
            let end = Exploration.TerminalState(kind, engine.machine.memory)
            let isKnown = shown.ends.contains { verdict.isCycle ? $0.kind == kind : $0 == end }
            #expect(isKnown, "\(shown.name), \(end)\n\(text)")
        }
    }
}
