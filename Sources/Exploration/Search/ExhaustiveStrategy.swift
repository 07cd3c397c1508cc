/// A strategy that knows when nothing is left to try.
package protocol ExhaustiveStrategy: Strategy {
    /// Executions that were given up, because all that they could come to is known.
    var redundantCount: Int { get }

    /// Whether something was left out, so that to have tried the rest proves nothing.
    var isBounded: Bool { get }

    /// Why the search cannot go on, if it cannot: a sentence.
    var obstacle: String? { get }
}
