import Machine

/// The strategies of a search, by the names that `--strategy` takes. To add one, add a case, its summary, and a line in
/// `make` and in each other switch that the compiler names.
package enum StrategyChoice: String, CaseIterable, Sendable {
    case dpor, states, graphs, random, pct, pos, urw, surw, delay, preempt, dfs
    case roundRobin = "round-robin"

    package var summary: String {
        switch self {
        case .dpor: "each order of dependent steps once: can prove"
        case .states: "each state once, under --model sc: can prove"
        case .graphs: "each execution graph of atomics once, under --model tso and rc11: can prove"
        case .random: "a random thread at each step, all equally likely"
        case .pct: "random priorities, changed at --depth − 1 steps"
        case .pos: "random priorities, drawn again for dependent steps"
        case .urw: "all interleavings about equally likely"
        case .surw: "the same for the steps on one shared object"
        case .delay: "depth first: no delay, then one, two, …"
        case .preempt: "depth first: no preemption, then one, two, …"
        case .dfs: "depth first: all interleavings"
        case .roundRobin: "time slices in turn, longer in each execution"
        }
    }

    /// Whether it draws its choices at random, for each execution from the seed and the execution's number alone. The
    /// units of an agenda, each of them consecutive executions of a strategy, can then be run in any order.
    package var isRandom: Bool {
        switch self {
        case .random, .pct, .pos, .urw, .surw: true
        case .dpor, .states, .graphs, .delay, .preempt, .dfs, .roundRobin: false
        }
    }

    /// Whether it can search executions under this memory model.
    package func follows(_ model: MemoryModel) -> Bool {
        switch self {
        case .dpor, .states: model == .sc
        case .graphs: model != .sc
        case .random, .pct, .pos, .urw, .surw, .delay, .preempt, .dfs, .roundRobin: true
        }
    }

    /// Makes the strategy. Searches by states or graphs do not decide executions, and are made otherwise
    /// (`StateSearch`, `GraphProver`).
    package func make(_ settings: StrategySettings) -> any Strategy {
        switch self {
        case .dpor: PartialOrderSearch(rules: settings.rules, part: settings.part)
        case .states, .graphs: preconditionFailure("a search by states or graphs decides no executions")
        case .random: RandomWalk(seed: settings.seed)
        case .pct: PCT(seed: settings.seed, depth: settings.depth)
        case .pos: POS(seed: settings.seed)
        case .urw: URW(seed: settings.seed)
        case .surw: SURW(seed: settings.seed)
        case .delay: BoundedSearch(.delays, upTo: settings.bound ?? .max, settings.cycleSearch)
        case .preempt: BoundedSearch(.preemptions, upTo: settings.bound ?? .max, settings.cycleSearch)
        case .dfs: BoundedSearch(.none, settings.cycleSearch)
        case .roundRobin: RoundRobin()
        }
    }

    /// What a complete search with this strategy has tried all of, as a noun: "all 12 orders were tried".
    package var kindOfExecution: String {
        switch self {
        case .dpor: "order"
        case .states: "state"
        case .graphs: "graph"
        case .random, .pct, .pos, .urw, .surw, .delay, .preempt, .dfs, .roundRobin: "interleaving"
        }
    }

    /// The random strategies that take turns with provers in the default search.
    static let portfolio: [StrategyChoice] = [.random, .pos, .pct, .surw]
}

/// The settings of strategies on the command line.
package struct StrategySettings: Sendable {
    package var seed: UInt64 = 1
    /// The bug depth that PCT targets.
    package var depth = 3
    /// The maximum number of preemptions or delays. Nil: increased until the time is over.
    package var bound: Int?
    package var rules = Rules()
    /// The settings of a search by states.
    package var states = StateSettings()
    /// The part to search, if the search was divided; by default, everything.
    package var part = SearchPart()

    package init() {}

    /// When a search of all interleavings looks for cycles. Under a memory model weaker than sc, a loop can read the
    /// same older value any number of times, so there would be infinitely many executions. An execution that comes back
    /// to the same state is therefore given up at once: whatever follows could have followed the first time.
    fileprivate var cycleSearch: CycleSearch { rules.followedModel == .sc ? .sometimes : .always }
}
