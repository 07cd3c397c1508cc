import CLab

/// Where the calling OS thread stands: in which run. Found through the one thread-local of the package.
package class Place {
    /// Whoever enters a place keeps its runtime alive meanwhile.
    private let unretained: Unmanaged<Runtime>

    package init(runtime: Runtime) { unretained = .passUnretained(runtime) }

    package final var runtime: Runtime { unretained.takeUnretainedValue() }

    /// The calling thread's place, or nil outside a run.
    @inline(__always) package static var current: Place? {
        guard let slot = clab_current() else { return nil }
        return Unmanaged<Place>.fromOpaque(slot).takeUnretainedValue()
    }

    /// The runtime of the run that the calling thread belongs to.
    ///
    /// Traps outside a run: a primitive has no meaning there.
    package static var runtime: Runtime { present.takeUnretainedValue() }

    /// The same, not counted as a reference.
    package static var present: Unmanaged<Runtime> {
        guard let slot = clab_current() else {
            preconditionFailure("threadlab's primitives work inside a run only: use them in a scenario's `run()`")
        }
        return Unmanaged<Place>.fromOpaque(slot)._withUnsafeGuaranteedRef { $0.unretained }
    }

    /// Makes this the calling thread's place, until `leave`. The caller keeps it alive meanwhile.
    package final func enter() { clab_set_current(Unmanaged.passUnretained(self).toOpaque()) }

    package static func leave() { clab_set_current(nil) }
}
