import Execution
import Machine
import Trace

/// A primitive's hold on its object: the runtime that it was made in, and what that runtime calls it.
///
/// It counts its reference to the runtime itself: the compiler would do so at every use, which in a short execution is felt.
struct Handle: ~Copyable, @unchecked Sendable {
    let object: RuntimeObject
    private let retained: Unmanaged<Runtime>

    init(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, _ name: String?, value: Int = 0, at site: SourceSite
    ) {
        let runtime = Place.present
        let object = runtime._withUnsafeGuaranteedRef {
            $0.makeObject(kind, shownAs: shown, name: name, value: value, at: site)
        }
        self.init(on: object, of: runtime)
    }

    init(on object: RuntimeObject, of runtime: Unmanaged<Runtime>) {
        self.object = object
        retained = runtime.retain()
    }

    deinit { retained.release() }

    /// Hands over the runtime.
    @inline(__always) func with<Result>(_ body: (Runtime) throws -> Result) rethrows -> Result {
        try retained._withUnsafeGuaranteedRef(body)
    }

    /// Takes one operation on the object.
    @inline(__always) @discardableResult
    func perform(_ kind: Operation.Kind, _ a: Int = 0, _ b: Int = 0, at site: SourceSite) throws -> Int {
        try with { try $0.perform(Operation(kind, object.id, a, b), on: object, with: nil, at: site) }
    }

    func record(_ kind: EventKind, _ value: Int = 0, at site: SourceSite) {
        with { $0.record(kind, object.id, value, at: site) }
    }

    func discard() { with { $0.discard(object) } }

    func isOfSameRuntime(as other: borrowing Handle) -> Bool { retained.toOpaque() == other.retained.toOpaque() }
}
