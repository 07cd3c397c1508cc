import Machine

/// A further search of the same program under rules that allow more than those that were asked for.
///
/// A freedom such as spurious wake-ups is searched only if it can make a difference to the program, and in a search of
/// its own. A failure without the freedom is thus shown without it, and counts keep their meaning.
package struct WiderSearch: Sendable {
    /// A rule that a plan leaves open until a search knows whether it matters to the program.
    package enum Freedom: String, CaseIterable, Sendable {
        /// One wait on a condition may end without a signal, or one weak compare-exchange may fail spuriously.
        case spurious
        /// Reads may see what the program's own memory orders allow.
        case weakOrders = "weak-orders"

        /// Whether the freedom can make a difference to a program with these traits.
        package func matters(to traits: ProgramTraits) -> Bool {
            switch self {
            case .spurious: traits.maySpuriously
            case .weakOrders: traits.contains(.weakOrders)
            }
        }
    }

    /// What the rules allow in addition.
    package let freedom: Freedom
    package let rules: Rules
    package var result: SearchResult
    /// Why the program cannot be searched under these rules, as a sentence without its full stop. Nil: it can.
    package let obstacle: String?

    package init(_ freedom: Freedom, _ rules: Rules, _ result: SearchResult, obstacle: String? = nil) {
        self.obstacle = obstacle
        self.freedom = freedom
        self.rules = rules
        self.result = result
    }
}

extension SearchResult {
    /// Adds a search under rules that allow more. Its findings are findings of this result.
    package mutating func add(_ search: WiderSearch) {
        let before = counts.executions + wider.reduce(0) { $0 + $1.result.counts.executions }
        for var finding in search.result.findings {
            finding.rules = finding.rules ?? search.rules
            add(finding, after: before)
        }
        formUnion(seenStates: search.result.seenStates)
        if let signal = search.result.signal { interrupt(by: signal) }
        discrepancy = discrepancy ?? search.result.discrepancy
        counts.traits.formUnion(search.result.counts.traits)
        wider.append(search)
    }
}
