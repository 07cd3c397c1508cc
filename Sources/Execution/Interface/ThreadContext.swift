import CLab

/// What primitives know about the calling OS thread: the run to which it belongs. A thread-local variable
/// (`clab_current`) refers to it.
package class ThreadContext {
    /// The address of the runtime: a `NativeRuntime` if `isNative`, otherwise a `ControlledRuntime`.
    ///
    /// The reference is not counted: a thread that enters a context must keep the runtime alive until it leaves.
    package final let address: UnsafeRawPointer
    package final let isNative: Bool
    /// Whether this is the context of a thread outside any run, which uses the ambient runtime (`AmbientRuntime`).
    final let isAmbient: Bool

    init(_ runtime: AnyObject, isNative: Bool, isAmbient: Bool = false) {
        address = UnsafeRawPointer(Unmanaged.passUnretained(runtime).toOpaque())
        self.isNative = isNative
        self.isAmbient = isAmbient
    }

    /// The calling thread's context, or nil outside a run.
    @inlinable @inline(__always) package static var current: ThreadContext? {
        guard let context = clab_current() else { return nil }
        return Unmanaged<ThreadContext>.fromOpaque(context).takeUnretainedValue()
    }

    /// Makes this the calling thread's context, until `leave`. The caller must keep it alive until then.
    final func enter() { clab_set_current(Unmanaged.passUnretained(self).toOpaque()) }

    /// Leaves the context. The earlier one, if given, becomes current again; the caller must keep it alive.
    static func leave(to before: ThreadContext? = nil) {
        clab_set_current(before.map { Unmanaged.passUnretained($0).toOpaque() })
    }

    /// Whether the calling thread belongs to a run.
    package static var isInRun: Bool { current.map { !$0.isAmbient } ?? false }
}
