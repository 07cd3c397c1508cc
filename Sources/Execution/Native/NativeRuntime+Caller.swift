import CLab

/// The thread that calls the runtime.
extension NativeRuntime {
    /// Passes the calling thread to the body, without counting a reference.
    @inline(__always)
    func withCaller<Result>(_ body: (NativeThread) throws -> Result) throws -> Result {
        if let context = clab_current() {
            let caller = Unmanaged<NativeThread>.fromOpaque(context)
            if caller._withUnsafeGuaranteedRef({ $0.address == address }) {
                return try caller._withUnsafeGuaranteedRef(body)
            }
        }
        return try withStranger(body)
    }

    /// The same where no error can be thrown: what would be one ends the process.
    @inline(__always)
    func withKnownCaller<Result>(_ body: (NativeThread) -> Result) -> Result {
        do { return try withCaller(body) } catch { preconditionFailure("\(error)") }
    }

    /// The calling thread.
    var caller: NativeThread { withKnownCaller { $0 } }

    var isCallersRuntime: Bool { ThreadContext.current?.address == address }

    private var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// The calling thread is not of this run. Outside a run it becomes a thread of the ambient runtime.
    @inline(never)
    private func withStranger<Result>(_ body: (NativeThread) throws -> Result) throws -> Result {
        guard options.isAmbient, ThreadContext.current == nil else { throw ForeignObject.error }
        return try body(AmbientRuntime.adopt())
    }
}
