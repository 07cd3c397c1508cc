import Execution
import Machine
import Trace

/// A primitive's hold on its object: the runtime that it was made in, and what that runtime calls it.
struct Handle: @unchecked Sendable {
    let runtime: Runtime
    let object: RuntimeObject
    /// The POSIX object, if the primitive may call POSIX on it itself. A runtime's storage begins with it.
    let direct: UnsafeMutableRawPointer?

    init(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, _ name: String?, value: Int = 0, at site: SourceSite
    ) {
        let runtime = Place.runtime
        object = runtime.makeObject(kind, shownAs: shown, name: name, value: value, at: site)
        direct = runtime.permitsDirectCalls ? object.storage : nil
        self.runtime = runtime
    }

    /// Takes one operation on the object.
    @inline(__always) @discardableResult
    func perform(_ kind: Operation.Kind, _ a: Int = 0, _ b: Int = 0, at site: SourceSite) throws -> Int {
        try runtime.perform(Operation(kind, object.id, a, b), on: object, with: nil, at: site)
    }

    func record(_ kind: EventKind, _ value: Int = 0, at site: SourceSite) {
        runtime.record(kind, object.id, value, at: site)
    }

    func discard() { runtime.discard(object) }
}
