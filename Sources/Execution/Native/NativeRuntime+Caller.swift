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

    /// The same; nil if the run is over and the thread is none of it, as that of a `deinit` may be that comes too late.
    var knownCaller: NativeThread? { hasEnded ? try? withCaller { $0 } : caller }

    var isCallersRuntime: Bool { ThreadContext.current?.address == address }

    private var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

    /// The calling thread is not of this run. Outside a run it becomes a thread of the ambient runtime; and in a process
    /// that was forked from this run, it uses its copies of the run's objects.
    @inline(never)
    private func withStranger<Result>(_ body: (NativeThread) throws -> Result) throws -> Result {
        guard let context = ThreadContext.current else {
            guard options.isAmbient else { throw ForeignObject.error }
            return try body(AmbientRuntime.adopt())
        }
        guard context.isNative else { throw ForeignObject.error }
        let thread = unsafeDowncast(context, to: NativeThread.self)
        guard thread.native.isCopy(of: self) else { throw ForeignObject.error }
        return try body(thread)
    }

    private func isCopy(of other: NativeRuntime) -> Bool {
        var origin = options.origin
        while let ancestor = origin {
            if ancestor === other { return true }
            origin = ancestor.options.origin
        }
        return false
    }
}
