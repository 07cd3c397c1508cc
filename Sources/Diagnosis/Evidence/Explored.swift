/// What a complete search has examined, such as the states of the program, and how many there are.
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

    /// The noun in reports. Classes of executions are called `order` (of steps) there, because a trace is a saved run.
    package var noun: String {
        switch kind {
        case .traces: "order"
        case .states: "state"
        case .graphs: "graph"
        case .interleavings: "interleaving"
        }
    }
}
