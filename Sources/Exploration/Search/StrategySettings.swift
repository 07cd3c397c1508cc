import Machine

/// What the command line can say about strategies.
package struct StrategySettings: Sendable {
    package var seed: UInt64 = 1
    /// Of the bugs that PCT is set on.
    package var depth = 3
    /// The most preemptions or delays. Nil: as many as there is time for.
    package var bound: Int?
    package var rules = Rules()

    package init() {}
}
