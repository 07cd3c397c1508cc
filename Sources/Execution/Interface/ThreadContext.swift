import CLab

/// What the primitives need to know of the calling OS thread: the run that it belongs to. Found through the one thread-local of the
/// package.
package class ThreadContext {
    /// Not counted: a thread that enters a context keeps its runtime alive until it leaves.
    package final let runtime: RuntimeReference

    init(_ runtime: RuntimeReference) { self.runtime = runtime }

    /// The calling thread's context, or nil outside a run.
    @inlinable @inline(__always) package static var current: ThreadContext? {
        guard let slot = clab_current() else { return nil }
        return Unmanaged<ThreadContext>.fromOpaque(slot).takeUnretainedValue()
    }

    /// The runtime of the run that the calling thread belongs to, not counted as a reference.
    ///
    /// Traps outside a run: a primitive has no meaning there.
    @inlinable package static var runtime: RuntimeReference {
        guard let slot = clab_current() else {
            preconditionFailure("threadlab's primitives work inside a run only: use them in a scenario's `run()`")
        }
        return Unmanaged<ThreadContext>.fromOpaque(slot)._withUnsafeGuaranteedRef { $0.runtime }
    }

    /// Makes this the calling thread's context, until `leave`. The caller keeps it alive meanwhile.
    final func enter() { clab_set_current(Unmanaged.passUnretained(self).toOpaque()) }

    static func leave() { clab_set_current(nil) }
}
