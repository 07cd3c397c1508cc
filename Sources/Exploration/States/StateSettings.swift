import Machine

/// What a search by states may use, and how it searches.
package struct StateSettings: Sendable {
    package var rules = Rules()
    package var isReduced = true
    package var exchanges = true
    /// Whether the newest state is expanded first: memory is no smaller, but long executions are reached early. Otherwise
    /// the oldest is, and the first finding has the shortest schedule.
    package var isDepthFirst = false
    /// Whether a state that has been expanded is known by a hash alone: that takes a third of the memory, and proves nothing.
    package var isCompacted = false
    /// In bytes.
    package var memory = 2 << 30

    package init() {}
}
