/// What the runs of a program can come to.
package struct Judgment: Sendable {
    /// How runs end that end.
    package let ends: Set<End>
    /// Whether a run can continue forever without progress; with progress that a thread lacks, though others make some; and as it should.
    package let hasLivelock: Bool
    package let hasStarvation: Bool
    package let continuesForever: Bool
    /// Whether a run that continues as it should has a data race.
    package let racesForever: Bool
    /// Whether some run has a data race, however it continues.
    package let races: Bool
    package let states: Int
    /// Whether time passes while threads could step.
    package let passesTimeBesideSteps: Bool
    /// The texts of the assertions, and the claims.
    package let asserts: [String]
    package let claims: [Tree.Claim]

    /// Nil: there are too many states.
    package init?(_ tree: Tree, _ rules: Rulebook, limit: Int = 4000) {
        let graph = StateSpaceGraph(Judged(tree), rules, limit: limit)
        if graph.isTooLarge { return nil }
        self.init(graph)
    }

    /// Whether the program has more states than this.
    package static func exceeds(_ limit: Int, _ tree: Tree, _ rules: Rulebook) -> Bool {
        StateSpaceGraph(Judged(tree), rules, limit: limit).isTooLarge
    }

    private init(_ graph: StateSpaceGraph) {
        let program = graph.program
        ends = graph.ends
        states = graph.states.count
        passesTimeBesideSteps = graph.passesTimeBesideSteps
        asserts = program.asserts
        claims = program.tree.claims
        let all = Array(graph.states.indices)
        func hasCycle(_ states: [Int], _ isAllowed: @escaping (StateSpaceGraph.Edge) -> Bool) -> Bool {
            !FairCycles(graph, isAllowed).components(among: states).isEmpty
        }
        let wishes = program.layout.wishes..<program.layout.threads[0]
        let unfulfilled = Set(wishes.isEmpty ? [] : all.filter { graph.states[$0][wishes].contains(0) })
        let threads = program.codes.indices.filter { program.codes[$0].makesProgress }
        func isExpected(_ thread: Int, _ state: Int) -> Bool {
            let phase = graph.world(state).field(thread, Layout.Field.phase)
            return phase != Layout.Phase.unborn && phase != Layout.Phase.ended
        }
        hasLivelock =
            hasCycle(all) { !$0.isProgress } || !unfulfilled.isEmpty && hasCycle(unfulfilled.sorted()) { _ in true }
        hasStarvation = threads.contains { thread in
            let cycles = FairCycles(graph) { !($0.isProgress && $0.thread == thread) }
            return cycles.components(among: all.filter { isExpected(thread, $0) && !unfulfilled.contains($0) })
                .contains { !cycles.progressing(in: $0).isEmpty }
        }
        continuesForever = hasCycle(all) { _ in true }
        let raced = all.filter { graph.states[$0][program.layout.hasRaced] == 1 && !unfulfilled.contains($0) }
        races =
            all.contains { graph.states[$0][program.layout.hasRaced] == 1 } || graph.ends.contains { $0.kind == .race }
        let cycles = FairCycles(graph) { _ in true }
        racesForever = cycles.components(among: raced).contains { component in
            let progressing = cycles.progressing(in: component)
            return !progressing.isEmpty
                && threads.allSatisfy { thread in
                    progressing.contains(thread) || !component.contains { isExpected(thread, $0) }
                }
        }
        seenStates = Self.seenStates(graph)
    }

    private static func seenStates(_ graph: StateSpaceGraph) -> Set<String> {
        let program = graph.program
        var seen = possibleStates(graph)
        for end in graph.ends {
            for failure in end.failures {
                if case .claim(let number) = failure, program.tree.claims[number].isBroken {
                    seen.insert("broken " + program.tree.claims[number].words)
                }
            }
            guard !end.leavesThreads, end.kind == .completed || end.kind == .race else { continue }
            let world = program.world(end.memory)
            for claim in program.tree.claims {
                switch claim.kind {
                case .sometimes(let condition): if world.value(condition) != 0 { seen.insert(claim.words) }
                case .outcomes(let places, let rows):
                    // The first row that fits.
                    let row = rows.first { row in zip(places, row).allSatisfy { world.value(.read($0)) == $1 } }
                    if let row { seen.insert(claim.row(row, places)) }
                case .always, .never, .invariant, .eventually, .possible, .findings: break
                }
            }
        }
        return seen
    }

    /// What is possible in some state, on the way or at an end of any kind.
    private static func possibleStates(_ graph: StateSpaceGraph) -> Set<String> {
        let program = graph.program
        var seen: Set<String> = []
        for claim in program.tree.claims {
            guard case .possible(let condition) = claim.kind else { continue }
            let isOnTheWay = graph.states.indices.contains { graph.world($0).value(condition) != 0 }
            if isOnTheWay || graph.ends.contains(where: { program.world($0.memory).value(condition) != 0 }) {
                seen.insert(claim.words)
            }
        }
        return seen
    }

    /// All kinds of findings, apart from those of endless runs.
    package var kinds: Set<End.Kind> { Set(ends.map(\.kind)) }

    /// The states that some run must end in, as threadlab lists them.
    var soughtStates: [String] {
        let isBrokenListed = claims.count(where: \.isBroken) > 1
        var states: [String] = []
        for claim in claims {
            var more: [String] = []
            switch claim.kind {
            case .sometimes, .possible: more = [claim.words]
            case .outcomes(let places, let rows) where !claim.isBroken: more = rows.map { claim.row($0, places) }
            case .always, .never, .invariant, .eventually, .outcomes, .findings: break
            }
            if claim.isBroken && isBrokenListed { more.append("broken " + claim.words) }
            for state in more where !states.contains(state) { states.append(state) }
        }
        return states
    }

    /// Those of these in which runs end.
    let seenStates: Set<String>

    /// Whether the program is as its own expectations say: its runs end in nothing else, and in all of that; it breaks the claims that
    /// it calls broken, and no others; and some run ends in each state that it wants to see.
    package var meetsExpectations: Bool {
        var allowed: Set<String> = []
        for claim in claims { if case .findings(let kinds) = claim.kind { allowed.formUnion(kinds) } }
        let found = Set(neededKinds.map(\.rawValue))
        let broken = Set(claims.indices.filter { claims[$0].isBroken }.map { Failure.claim($0) })
        let isOnlyAllowed = found.isSubset(of: allowed.union(broken.isEmpty ? [] : ["broken-claim"]))
        return isOnlyAllowed && allowed.isSubset(of: found) && broken.isSubset(of: failures)
            && Set(soughtStates).isSubset(of: seenStates)
    }
}

extension Judged {
    /// A world with these values of the variables, in which claims can be evaluated.
    fileprivate func world(_ memory: [Int]) -> World {
        var world = World(program: self, rules: Rulebook(), words: Array(repeating: 0, count: layout.size))
        for (variable, value) in zip(variables, memory) { world.words[layout.value(variable)] = value }
        return world
    }
}
