import Execution
import Machine
import Trace

/// A primitive's reference to its object: the runtime that created the object, and the object's identity there.
///
/// The reference to the runtime is counted only in `init` and `deinit`. The compiler would count it at every use, which
/// makes a short execution noticeably slower.
struct Handle: ~Copyable, @unchecked Sendable {
    let object: RuntimeObject
    private let runtime: RuntimeReference

    init(
        _ kind: ObjectState.Kind, shownAs shown: ObjectKind, _ name: String?, value: Int = 0, at site: SourceSite
    ) {
        let runtime = ThreadContext.runtime
        self.init(on: runtime.makeObject(kind, shownAs: shown, name: name, value: value, at: site), of: runtime)
    }

    init(on object: RuntimeObject, of runtime: RuntimeReference) {
        self.object = object
        self.runtime = runtime
        runtime.retain()
    }

    deinit { runtime.release() }

    func with<Result>(_ body: (any Runtime) throws -> Result) rethrows -> Result { try runtime.with(body) }

    /// Performs one operation on the object. `a` and `b` are its arguments: see `Operation`.
    @inline(__always) @discardableResult
    func perform(_ kind: Operation.Kind, _ a: Int = 0, _ b: Int = 0, at site: SourceSite) throws -> Int {
        try perform(Operation(kind, object.id, a, b), at: site)
    }

    /// Performs one operation on the object, with memory orders.
    @discardableResult
    func perform(
        _ kind: Operation.Kind, _ a: Int = 0, _ b: Int = 0, orders: Operation.Orders, at site: SourceSite
    ) throws -> Int {
        try perform(Operation(kind, object.id, a, b, orders: orders), at: site)
    }

    @inline(__always) func load(at site: SourceSite) throws -> Int { try runtime.load(object, at: site) }

    /// Loads this atomic, and locks the mutex if the loaded value has none of the bits.
    ///
    /// - Returns: the calling thread. Nil: the value has one of the bits, and the mutex was not locked.
    @inline(__always) func lock(_ mutex: borrowing Handle, ifClear bits: Int, at site: SourceSite) throws -> ThreadID? {
        try runtime.lock(mutex.object, ifClear: bits, in: object, at: site)
    }

    /// Performs an operation.
    ///
    /// - Parameter mutex: the mutex of a wait on a condition. Nil: the operation is another one.
    @inline(__always)
    func perform(_ operation: Operation, with mutex: RuntimeObject? = nil, at site: SourceSite) throws -> Int {
        try runtime.perform(operation, on: object, with: mutex, at: site)
    }

    /// Waits on this condition with the mutex, which the caller holds.
    ///
    /// - Returns: false if the deadline passed before a signal came.
    func wait(with mutex: borrowing Handle, until deadline: Instant, at site: SourceSite) throws -> Bool {
        let operation = Operation(.wait, object.id, Int(mutex.object.id), deadline.nanoseconds)
        return try perform(operation, with: mutex.object, at: site) != 0
    }

    func record(_ kind: EventKind, _ value: Int = 0, at site: SourceSite) {
        runtime.record(kind, object.id, value, at: site)
    }

    func record(_ remark: Remark, _ value: Int = 0, at site: SourceSite) {
        runtime.record(remark, object.id, value, at: site)
    }

    /// - Parameter text: built only if events are recorded.
    func record(_ remark: Remark, text: @autoclosure () -> String, at site: SourceSite) {
        with { runtime in
            if runtime.isRecording { runtime.record(remark, object.id, text: text(), at: site) }
        }
    }

    /// Records that the calling thread is about to wait inside this object, what it waits for, and in which state it
    /// has found the object.
    func recordWait(
        for need: @autoclosure () -> String, at site: SourceSite, finding state: (any Runtime) -> String
    ) {
        with { runtime in
            guard runtime.isRecording else { return }
            runtime.record(.objectWait, object.id, text: need(), at: site)
            runtime.record(.objectState, object.id, text: state(runtime), at: site)
        }
    }

    /// For the handle of a thread that the caller has joined: the value that the thread returned.
    func result() -> Int { runtime.result(of: object) }
    var currentThread: ThreadID { runtime.currentThread }

    /// Tells the runtime that no reference to the object is left.
    func discard() { runtime.discard(object) }

    func isOfSameRuntime(as other: borrowing Handle) -> Bool { runtime == other.runtime }
}

/// Acquires a lock, runs the body, and releases the lock on every return path.
@inlinable @inline(__always)
func holding<Result>(
    _ acquire: () throws -> Void, _ release: () throws -> Void, _ body: () throws -> Result
) throws -> Result {
    try acquire()
    let result: Result
    do { result = try body() } catch {
        try release()
        throw error
    }
    try release()
    return result
}
