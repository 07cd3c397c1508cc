/// What a proof is about: the number of things that were looked at, and there are no more.
package struct Explored: Equatable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        /// Classes of executions that differ only in the order of independent steps.
        case traces
        /// States of the whole program.
        case states
        /// Execution graphs of atomics.
        case graphs
        /// Executions, one by one.
        case interleavings
    }

    package let kind: Kind
    package let count: Int

    package init(_ kind: Kind, _ count: Int) {
        self.kind = kind
        self.count = count
    }

    /// In reports, where a trace is a saved run: `order` of steps, `state`.
    package var noun: String {
        switch kind {
        case .traces: "order"
        case .states: "state"
        case .graphs: "graph"
        case .interleavings: "interleaving"
        }
    }
}
