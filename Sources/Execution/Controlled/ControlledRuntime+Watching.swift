import Trace

extension ControlledRuntime {
    /// The place of a thread's last operation, for an OS thread that watches the one on which the thread runs. That one must
    /// have stood still for long: what is read here is changed by every step.
    ///
    /// - Parameter context: the context of the thread that is watched. Nil is returned if it is not that of such a runtime.
    package static func site(ofThread thread: Int, in context: UnsafeMutableRawPointer) -> SourceSite? {
        let context = Unmanaged<ThreadContext>.fromOpaque(context).takeUnretainedValue()
        guard !context.isNative else { return nil }
        let runtime = Unmanaged<ControlledRuntime>.fromOpaque(context.address).takeUnretainedValue()
        return runtime.sites[thread]
    }
}
