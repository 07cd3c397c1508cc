import Exploration
import Machine

/// The strategies that benchmarks compare, with the names in their tables.
struct StrategyUnderTest: Sendable {
    let name: String
    /// Whether its executions depend on a seed.
    let isRandom: Bool
    let make: @Sendable (_ seed: UInt64, _ rules: Rules) -> any Strategy

    static let all = [
        Self(name: "random", isRandom: true) { seed, _ in RandomWalk(seed: seed) },
        Self(name: "pct 3", isRandom: true) { seed, _ in PCT(seed: seed, depth: 3) },
        Self(name: "pos", isRandom: true) { seed, _ in POS(seed: seed) },
        Self(name: "urw", isRandom: true) { seed, _ in URW(seed: seed) },
        Self(name: "surw", isRandom: true) { seed, _ in SURW(seed: seed) },
        Self(name: "round-robin", isRandom: false) { _, _ in RoundRobin() },
        Self(name: "preempt", isRandom: false) { _, _ in BoundedSearch(.preemptions) },
        Self(name: "delay", isRandom: false) { _, _ in BoundedSearch(.delays) },
        Self(name: "dfs", isRandom: false) { _, _ in BoundedSearch(.none) },
        Self(name: "dpor", isRandom: false) { _, rules in PartialOrderSearch(rules: rules) },
    ]
}
