import Machine

/// What the command line can say about strategies.
package struct StrategySettings: Sendable {
    package var seed: UInt64 = 1
    package var rules = Rules()

    package init() {}
}
