import Machine
import Trace

/// How executions ended: an outcome, and the contents of memory.
package struct TerminalState: Hashable, Sendable {
    package let kind: OutcomeKind
    package let memory: [MemoryWord]

    package init(_ kind: OutcomeKind, _ memory: [MemoryWord]) {
        self.kind = kind
        self.memory = memory
    }
}
