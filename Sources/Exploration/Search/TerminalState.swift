import Machine
import Trace

/// What executions came to: an outcome, and what memory held then.
package struct TerminalState: Hashable, Sendable {
    package let kind: OutcomeKind
    package let memory: [MemoryWord]

    package init(_ kind: OutcomeKind, _ memory: [MemoryWord]) {
        self.kind = kind
        self.memory = memory
    }
}
