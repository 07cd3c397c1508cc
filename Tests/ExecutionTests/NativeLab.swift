import Machine
import Support
import Testing
import Trace

@testable import Execution

/// Small primitives for tests, directly on the runtime's interface.
struct Lab: Sendable {
    let runtime: NativeRuntime

    func perform(
        _ kind: Operation.Kind, _ target: RuntimeObject = .none, _ a: Int = 0, _ b: Int = 0,
        with mutex: RuntimeObject? = nil
    ) throws -> Int {
        try runtime.perform(
            Operation(kind, kind.isOnThread ? 0 : target.id, a, b), on: target, with: mutex, at: .unknown)
    }

    func make(_ kind: ObjectState.Kind, _ shown: ObjectKind, _ name: String? = nil, value: Int = 0) -> RuntimeObject {
        runtime.makeObject(kind, shownAs: shown, name: name, value: value, at: .unknown)
    }

    func mutex(_ name: String? = nil, _ kind: ObjectState.Kind = .normalMutex) -> RuntimeObject {
        make(kind, .mutex, name)
    }
    func condition(_ name: String? = nil) -> RuntimeObject { make(.condition, .condition, name) }
    func semaphore(_ value: Int = 0) -> RuntimeObject { make(.semaphore, .semaphore, value: value) }
    func lock(_ kind: ObjectState.Kind = .readersFirstLock) -> RuntimeObject { make(kind, .readWriteLock) }
    func atomic(_ value: Int = 0) -> RuntimeObject { make(.atomic, .atomic, value: value) }

    @discardableResult func lock(_ mutex: RuntimeObject) throws -> Int { try perform(.lock, mutex) }
    @discardableResult func unlock(_ mutex: RuntimeObject) throws -> Int { try perform(.unlock, mutex) }
    @discardableResult func wait(_ condition: RuntimeObject, _ mutex: RuntimeObject, until: Int = Operation.never)
        throws
        -> Int
    {
        try perform(.wait, condition, Int(mutex.id), until, with: mutex)
    }
    @discardableResult func post(_ semaphore: RuntimeObject) throws -> Int { try perform(.semaphoreSignal, semaphore) }
    @discardableResult func take(_ semaphore: RuntimeObject) throws -> Int { try perform(.semaphoreWait, semaphore) }
    @discardableResult func join(_ thread: RuntimeObject) throws -> Int {
        try perform(.join, thread, Int(thread.id))
    }

    func waiterCount(_ condition: RuntimeObject) -> Int { ConditionWaiters(NativeStorage(condition).object).count }

    func thread(
        _ name: String? = nil, detached: Bool = false, _ body: @escaping @Sendable () throws -> Void
    ) throws -> RuntimeObject {
        try runtime.startThread(named: name, ThreadAttributes(isDetached: detached), at: .unknown, body: .plain(body))
    }

    /// Spins until a condition holds that other threads make true. Gives up when the run ends.
    func eventually(_ condition: () -> Bool) throws {
        while !condition() { _ = try perform(.yield) }
    }

    /// Blocks forever, until the end of the run.
    func hang() throws { try take(semaphore()) }

    func expect(
        _ value: @autoclosure () throws -> Int, is expected: Int, at location: SourceLocation = #_sourceLocation
    ) rethrows {
        let value = try value()
        #expect(value == expected, sourceLocation: location)
    }

    func misuse(_ body: () throws -> Int) -> String? {
        do {
            _ = try body()
            return nil
        } catch let misuse as Misuse {
            return misuse.identifier
        } catch {
            return "\(error)"
        }
    }
}

/// A run's result, and what it recorded.
struct NativeRunReport {
    var result: NativeResult
    var document: TraceDocument

    var lines: [String] { document.lines }

    func count(_ kind: EventKind) -> Int { document.events.count { $0.kind == kind } }
}

/// Runs the body natively, recorded, with a time limit: a run that hangs is ended after a minute, and the test detects
/// it.
@discardableResult
func runNatively(
    _ options: NativeRuntime.Options = .init(), _ body: (Lab) throws -> Void
) throws -> NativeRunReport {
    let recorder = Recorder(memory: try RecordingMemory())
    let runtime = NativeRuntime(recorder: recorder, options: options)
    let reader = try RecordingReader(attachingTo: recorder.memory)
    var document = Recordings.document()
    let result = runUnderNet(runtime, body)
    reader.drain(into: &document, final: true)
    return NativeRunReport(result: result, document: document)
}

/// With a time limit: a run that hangs is ended after a minute.
private func runUnderNet(_ runtime: NativeRuntime, _ body: (Lab) throws -> Void) -> NativeResult {
    let limit = 60_000_000_000
    let watch = Watch { [unowned runtime] in
        if runtime.now < limit { return true }
        runtime.requestEnd(.runTimeout, limit)
        return false
    }
    defer { watch.stop() }
    return runtime.result { try body(Lab(runtime: runtime)) }
}
