/// A strategy that knows when nothing is left to try.
package protocol ExhaustiveStrategy: Strategy {
    /// How many of its executions so far differ in what it tells apart.
    var distinctCount: Int { get }

    /// Whether something was left out, so that to have tried the rest proves nothing.
    var isBounded: Bool { get }

    /// Why the search cannot go on, if it cannot: a sentence without its full stop.
    var obstacle: String? { get }
}

extension PartialOrderSearch: ExhaustiveStrategy {
    package var distinctCount: Int { completeCount }
}

extension BoundedSearch: ExhaustiveStrategy {
    package var isBounded: Bool { !isComplete }
    package var obstacle: String? { hasDiverged ? "the program does not do the same under the same choices" : nil }
}
