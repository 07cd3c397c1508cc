import LabExecution
import Machine
import Support
import Testing
import Trace

@testable import Exploration

/// Parts of a search of graphs together have each graph of the whole search exactly once.
@Suite struct GraphDivisionTests {
    /// What a search of graphs or of parts has shown, added up. Of races only that there are any: a search repeats the first one of each
    /// two events, and parts have first ones of their own.
    private struct Shown: Equatable {
        var counts = GraphSearch.Counts()
        var kinds: Set<OutcomeKind> = []
        /// The findings that are no races.
        var findings: Set<Counterexample.Identity> = []
        var executions = 0
        var steps = 0

        mutating func add(_ report: UnitReport, _ search: GraphSearch.Counts) {
            counts.complete += search.complete
            counts.failed += search.failed
            counts.stuck += search.stuck
            counts.unfinished += search.unfinished
            kinds.formUnion(report.findings.map(\.kind))
            findings.formUnion(report.findings.map(\.identity).filter { $0.kind != .race })
            executions += report.counts.executions
            steps += report.counts.steps
        }
    }

    private static func rules(_ model: MemoryModel, spurious: Int = 0) -> Rules {
        var rules = Rules()
        rules.model = model
        rules.spuriousWakeups = spurious
        return rules
    }

    private func shown(_ engine: Engine, _ rules: Rules, _ parts: [SearchPart]) throws -> (Shown, isComplete: Bool) {
        var shown = Shown()
        var isComplete = true
        var goal = SearchGoal()
        goal.keepsGoing = true
        for part in parts {
            let prover = GraphProver(engine, goal, rules, part: part)
            let report = prover.run(.max, isStopped: { false }, publish: { _ in })
            if report.end != .exhausted || report.obstacle != nil { isComplete = false }
            shown.add(report, prover.counts)
        }
        return (shown, isComplete)
    }

    /// - Returns: the number of parts. Nil: the program cannot be searched as a whole, either.
    @discardableResult
    private func compare(_ engine: Engine, _ rules: Rules, _ name: String, most: [Int] = [30]) throws -> Int? {
        let (whole, isComplete) = try shown(engine, rules, [SearchPart()])
        guard isComplete else { return nil }
        var count = 1
        for most in most {
            let parts = GraphDivision(of: engine, rules, seed: 3).parts(atMost: most)
            #expect(parts.count <= most && PartCover.flaw(of: parts) == nil, "\(name)")
            #expect(parts.allSatisfy { PartCover.isMeaningful($0) }, "\(name)")
            let (sum, isAll) = try shown(engine, rules, parts)
            #expect(isAll && sum == whole, "\(name) in \(parts.count) parts")
            count = max(count, parts.count)
        }
        return count
    }

    @Test(arguments: Extent.part(of: GraphOracleTests.expected.keys.sorted(), every: 3))
    func `the programs of the oracles`(_ name: String) throws {
        for model in [MemoryModel.tso, .rc11] {
            let rules = Self.rules(model)
            let engine = Engine(try GraphOracleTests.bytecode(name, model), rules: rules)
            try compare(engine, rules, "\(name) under \(model)")
        }
    }

    @Test(arguments: UInt64(1)...40) func `random programs`(_ seed: UInt64) throws {
        for model in [MemoryModel.tso, .rc11] {
            let rules = Self.rules(model, spurious: Int(seed % 2))
            let text = WeakProgram(seed: seed, hasWeakUpdates: true, hasLoops: seed % 3 == 0, isSmall: true).text
            try compare(try TestProgram(text).engine(rules), rules, "\(text) under \(model)", most: [3, 20])
        }
    }

    @Test(arguments: ObjectProgram.Object.allCases) func `locks and semaphores`(_ object: ObjectProgram.Object) throws {
        for seed in UInt64(0)..<4 {
            let text = ObjectProgram(seed: seed, object).text
            let rules = Self.rules(.rc11)
            try compare(try TestProgram(text).engine(rules), rules, text, most: [9])
        }
    }

    private static let text = """
        atomic x = 0, y = 0
        thread a { repeat 3 { x.add(1, relaxed) }; y.store(1, relaxed) }
        thread b { repeat 2 { x.add(1, relaxed) }; y.store(2, relaxed) }
        thread c { let v = y.load(relaxed); let w = x.load(relaxed); x.store(7, relaxed) }
        """

    @Test func `a part is divided further, and a division is the same twice`() throws {
        let rules = Self.rules(.rc11)
        let engine = try TestProgram(Self.text).engine(rules)
        let parts = GraphDivision(of: engine, rules, seed: 3).parts(atMost: 5)
        #expect(parts.count > 2 && GraphDivision(of: engine, rules, seed: 3).parts(atMost: 5) == parts)
        for part in parts {
            let further = GraphDivision(part, of: engine, rules, seed: 4).parts(atMost: 6)
            #expect(PartCover.flaw(of: further, in: part) == nil)
            let (whole, sum) = (try shown(engine, rules, [part]), try shown(engine, rules, further))
            #expect(whole.0 == sum.0)
        }
    }

    /// The way to a part names only choices, so it does not matter how many steps come before them.
    @Test func `choices behind many steps that leave none are divided`() throws {
        let rules = Self.rules(.rc11)
        let text = """
            atomic x = 0, y = 0
            thread a { repeat 600 { x.store(1, relaxed) }; repeat 2 { y.add(1, relaxed) } }
            thread b { repeat 2 { y.add(1, relaxed) } }
            thread c { y.add(1, relaxed) }
            """
        let engine = try TestProgram(text).engine(rules)
        let parts = GraphDivision(of: engine, rules, seed: 3).parts(atMost: 6)
        #expect(parts.count > 3 && PartCover.flaw(of: parts) == nil && parts.allSatisfy { $0.branches.count < 20 })
        let (whole, sum) = (try shown(engine, rules, [SearchPart()]), try shown(engine, rules, parts))
        #expect(whole.0 == sum.0 && whole.0.counts.complete == 30)
    }

    @Test func `a division that is stopped has fewer parts, and they are a whole`() throws {
        let rules = Self.rules(.rc11)
        let engine = try TestProgram(Self.text).engine(rules)
        for most in 0..<8 {
            var questions = 0
            let division = GraphDivision(of: engine, rules, seed: 3) {
                questions += 1
                return questions > most * 10
            }
            #expect(PartCover.flaw(of: division.parts(atMost: 30)) == nil)
        }
    }

    @Test func `a race on the way to several parts is found in one of them`() throws {
        let rules = Self.rules(.rc11)
        let text = """
            atomic x = 0
            shared d = 0
            thread a { d = 1; x.store(1, relaxed); x.store(2, relaxed) }
            thread b { d = 2; x.store(3, relaxed); let v = x.load(relaxed) }
            """
        let engine = try TestProgram(text).engine(rules)
        var goal = SearchGoal()
        goal.keepsGoing = true
        let parts = GraphDivision(of: engine, rules, seed: 1).parts(atMost: 30)
        let races = parts.filter { part in
            let report = GraphProver(engine, goal, rules, part: part).run(.max, isStopped: { false }, publish: { _ in })
            return report.findings.contains { $0.kind == .race }
        }
        #expect(parts.count > 4 && races.count == 1)
    }

    @Test func `a way that the search does not have is a mistake, and no part of a proof`() throws {
        let rules = Self.rules(.rc11)
        let engine = try TestProgram(Self.text).engine(rules)
        let parts = GraphDivision(of: engine, rules, seed: 3).parts(atMost: 20)
        for part in parts {
            for place in part.branches.indices {
                var branches = part.branches
                let old = branches[place]
                branches[place] = .init(old.number, of: old.count + 1)
                let prover = GraphProver(engine, SearchGoal(), rules, part: .branches(branches))
                let report = prover.run(.max, isStopped: { false }, publish: { _ in })
                #expect(report.end == .bounded && report.obstacle == .misjudged)
            }
        }
    }
}
