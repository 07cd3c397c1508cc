/// What the runs of a program can come to.
package struct Judgment: Sendable {
    /// How runs end that end.
    package let ends: Set<End>
    /// Whether a run can continue forever without progress; with progress that a thread lacks; and as it should.
    package let hasLivelock: Bool
    package let hasStarvation: Bool
    package let continuesForever: Bool
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
        let unfulfilled = wishes.isEmpty ? [] : all.filter { graph.states[$0][wishes].contains(0) }
        hasLivelock =
            hasCycle(all) { !$0.isProgress } || !unfulfilled.isEmpty && hasCycle(unfulfilled) { _ in true }
        let threads = program.codes.indices.filter { program.codes[$0].makesProgress }
        hasStarvation = threads.contains { thread in
            let states = all.filter { state in
                let phase = graph.world(state).field(thread, Layout.Field.phase)
                return phase != Layout.Phase.unborn && phase != Layout.Phase.ended
            }
            return hasCycle(states) { !($0.isProgress && $0.thread == thread) }
        }
        continuesForever = hasCycle(all) { _ in true }
    }

    /// All kinds of findings, apart from those of endless runs.
    package var kinds: Set<End.Kind> { Set(ends.map(\.kind)) }
    package var isTimed: Bool { passesTimeBesideSteps }
}
