import Machine

/// The settings of strategies on the command line.
package struct StrategySettings: Sendable {
    package var seed: UInt64 = 1
    /// The bug depth that PCT targets.
    package var depth = 3
    /// The maximum number of preemptions or delays. Nil: as many as time allows.
    package var bound: Int?
    package var rules = Rules()
    package var states = StateSettings()
    /// Of a search by partial orders that has been divided: its part.
    package var part = SearchPart()

    package init() {}
}
