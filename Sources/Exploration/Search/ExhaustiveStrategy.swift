/// A strategy that detects when nothing is left to try.
package protocol ExhaustiveStrategy: Strategy {
    /// The number of its executions so far that differ in what it distinguishes.
    var distinctCount: Int { get }

    /// Whether something was left out, so that trying the rest proves nothing.
    var isBounded: Bool { get }

    /// Why the search cannot continue, if it cannot.
    var obstacle: Obstacle? { get }
}

extension PartialOrderSearch: ExhaustiveStrategy {
    package var distinctCount: Int { completeCount }
}

extension BoundedSearch: ExhaustiveStrategy {
    package var isBounded: Bool { !isComplete }
}
