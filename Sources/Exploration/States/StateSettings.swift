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

    /// The number of threads that expand states. The result does not depend on it.
    package var threads = 1
    /// The fewest states that several threads expand together. They begin when a multiple of them has been found: a small search
    /// starts no threads.
    package var fewestTogether = 512

    package init() {}
}
