import CLab
import Machine
import Trace

/// A reference to one of the two runtimes. It is not counted, except by `retain` and `release`: counting at every use
/// would be noticeable in a short execution.
///
/// It is an enumeration instead of `any Runtime`, because a call through it is a branch and a direct call.
package enum RuntimeReference: @unchecked Sendable {
    case native(Unmanaged<NativeRuntime>)
    case controlled(Unmanaged<ControlledRuntime>)

    /// Passes the runtime to the body.
    @inlinable @inline(__always) package func with<Result>(_ body: (any Runtime) throws -> Result) rethrows -> Result {
        switch self {
        case .native(let runtime): try runtime._withUnsafeGuaranteedRef { try body($0) }
        case .controlled(let runtime): try runtime._withUnsafeGuaranteedRef { try body($0) }
        }
    }

    /// The runtime as a counted reference.
    @inlinable package var counted: any Runtime {
        switch self {
        case .native(let runtime): runtime.takeUnretainedValue()
        case .controlled(let runtime): runtime.takeUnretainedValue()
        }
    }

    /// Keeps the runtime alive until `release`.
    @inlinable @inline(__always) package func retain() {
        switch self {
        case .native(let runtime): _ = runtime.retain()
        case .controlled(let runtime): _ = runtime.retain()
        }
    }

    @inlinable @inline(__always) package func release() {
        switch self {
        case .native(let runtime): runtime.release()
        case .controlled(let runtime): runtime.release()
        }
    }

    // MARK: - Frequent operations

    @inlinable @inline(__always) package func perform(
        _ operation: Operation, on target: RuntimeObject, with mutex: RuntimeObject? = nil, at site: SourceSite
    ) throws -> Int {
        try with { try $0.perform(operation, on: target, with: mutex, at: site) }
    }

    /// The operation `load`.
    @inlinable @inline(__always) package func load(_ target: RuntimeObject, at site: SourceSite) throws -> Int {
        switch self {
        case .native(let runtime): try runtime._withUnsafeGuaranteedRef { try $0.load(target, at: site) }
        case .controlled: try perform(Operation(.load, target.id), on: target, at: site)
        }
    }

    /// Takes the operation `load` and, if none of the bits is set in the value, the operation `lock` on the mutex. This
    /// is what a work queue does most often. In a native run both are one call.
    ///
    /// - Returns: the calling thread; nil if a bit is set, and the mutex was not locked.
    @inlinable @inline(__always) package func lock(
        _ mutex: RuntimeObject, ifClear bits: Int, in target: RuntimeObject, at site: SourceSite
    ) throws -> ThreadID? {
        switch self {
        case .native(let runtime):
            return try runtime._withUnsafeGuaranteedRef { try $0.lock(mutex, ifClear: bits, in: target, at: site) }
        case .controlled:
            if try load(target, at: site) & bits != 0 { return nil }
            _ = try perform(Operation(.lock, mutex.id), on: mutex, at: site)
            return currentThread
        }
    }

    @inlinable @inline(__always) package func makeObject(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, name: String?, value: Int, at site: SourceSite
    ) -> RuntimeObject {
        with { $0.makeObject(kind, shownAs: shown, name: name, value: value, at: site) }
    }

    package func result(of thread: RuntimeObject) -> Int { with { $0.result(of: thread) } }
    package var currentThread: ThreadID { with { $0.currentThread } }
    package var now: Int { with { $0.now } }
    package var isRecording: Bool { with { $0.isRecording } }

    @inlinable @inline(__always) package func discard(_ object: RuntimeObject) {
        with { $0.discard(object, evenIf: false) }
    }

    @inlinable @inline(__always) package func startThread(
        named name: String?, _ attributes: ThreadAttributes, at site: SourceSite, body: consuming ThreadBody
    ) throws -> RuntimeObject {
        switch self {
        case .native(let runtime):
            try runtime.takeUnretainedValue().startThread(named: name, attributes, at: site, body: body)
        case .controlled(let runtime):
            try runtime.takeUnretainedValue().startThread(named: name, attributes, at: site, body: body)
        }
    }

    @inlinable @inline(__always) package func record(
        _ kind: EventKind, _ object: UInt32 = 0, _ value: Int = 0, at site: SourceSite
    ) {
        with { $0.record(kind, object, value, at: site) }
    }

    package func record(_ remark: Remark, _ object: UInt32, _ value: Int, at site: SourceSite) {
        with { $0.record(remark, object, value, at: site) }
    }
}

extension RuntimeReference: Equatable {
    package static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.native(let a), .native(let b)): a.toOpaque() == b.toOpaque()
        case (.controlled(let a), .controlled(let b)): a.toOpaque() == b.toOpaque()
        default: false
        }
    }
}

extension ThreadContext {
    /// The runtime of the calling thread's run. Outside a run, the ambient runtime, which the thread joins. The
    /// reference is not counted.
    @inlinable package static var runtime: RuntimeReference {
        guard let context = clab_current() else { return .native(AmbientRuntime.entered()) }
        return Unmanaged<ThreadContext>.fromOpaque(context)._withUnsafeGuaranteedRef {
            $0.isNative ? .native(.fromOpaque($0.address)) : .controlled(.fromOpaque($0.address))
        }
    }
}
