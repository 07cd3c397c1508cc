/// The result of a part of a unit of the agenda.
package struct UnitReport: Sendable {
    package enum End: Int, Sendable {
        /// All its executions were run.
        case done
        /// It ended at a finding that the search was for.
        case found
        /// The strategy has nothing left to try.
        case exhausted
        /// The strategy has tried everything within its bound, but not everything that is possible.
        case bounded
        /// It was asked to stop.
        case stopped
    }

    package var counts = SearchCounts()
    /// Each once, in the order in which they were found.
    package var findings: [Counterexample] = []
    package var terminals = TerminalTable()
    package var end = End.done
    /// The number of different executions the strategy has tried, in this unit and earlier ones, if known.
    package var distinct: Int?
    /// The traces of random executions, if they were distinguished.
    package var traces: [UInt64] = []
    /// Those of the goal's states that some execution ended in.
    package var seenStates: Set<Int> = []
    /// Why the strategy cannot continue, if it cannot.
    package var obstacle: Obstacle?

    package init() {}
}
