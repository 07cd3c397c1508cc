import Execution
import Machine
import Trace

/// A lock or condition inside a built primitive. Traces show it only when a thread is blocked on it.
final class Part: Sendable {
    let handle: Handle

    init(_ kind: ObjectState.Kind, _ name: String, at site: SourceSite) {
        handle = Handle(kind, shownAs: .part, name, at: site)
    }

    deinit { handle.discard() }
}
