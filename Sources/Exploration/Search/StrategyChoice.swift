/// The strategies by name. To add one is a case, its summary, and a line in `make`.
package enum StrategyChoice: String, CaseIterable, Sendable {
    case dpor, random, pct, pos, urw, surw, delay, preempt, dfs
    case roundRobin = "round-robin"

    package var summary: String {
        switch self {
        case .dpor: "each order of dependent steps once: proves"
        case .random: "of the threads that can step, each is as likely"
        case .pct: "random priorities that change --depth times less one"
        case .pos: "random priorities, drawn again for dependent steps"
        case .urw: "of all interleavings, each is about as likely"
        case .surw: "the same, of the steps on one shared object a time"
        case .delay: "depth first: those with no delay, one, …"
        case .preempt: "depth first: those with no preemption, one, …"
        case .dfs: "depth first: all interleavings"
        case .roundRobin: "slices of time in turn, longer each time"
        }
    }

    /// Whether an execution's choices follow from its number, and at most from those of the same block: blocks can be dealt
    /// out in any order.
    package var isRandom: Bool {
        switch self {
        case .random, .pct, .pos, .urw, .surw: true
        case .dpor, .delay, .preempt, .dfs, .roundRobin: false
        }
    }

    /// Itself, unless it is random.
    var asProver: StrategyChoice? { isRandom ? nil : self }

    package func make(_ settings: StrategySettings) -> any Strategy {
        switch self {
        case .dpor: PartialOrderSearch(rules: settings.rules)
        case .random: RandomWalk(seed: settings.seed)
        case .pct: PCT(seed: settings.seed, depth: settings.depth)
        case .pos: POS(seed: settings.seed)
        case .urw: URW(seed: settings.seed)
        case .surw: SURW(seed: settings.seed)
        case .delay: BoundedSearch(.delays, upTo: settings.bound ?? .max)
        case .preempt: BoundedSearch(.preemptions, upTo: settings.bound ?? .max)
        case .dfs: BoundedSearch(.none)
        case .roundRobin: RoundRobin()
        }
    }

    /// What the executions differ in of which it tries one each.
    package var kindOfExecution: String { self == .dpor ? "trace" : "interleaving" }

    /// What searches without a proof in view, one after the other.
    static let portfolio: [StrategyChoice] = [.random, .pos, .pct, .surw]

    /// What can prove that there is nothing to find.
    static let prover = StrategyChoice.dpor
}
