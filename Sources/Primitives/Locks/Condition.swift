import Execution
import Machine
import Trace

/// A place where threads wait, with a mutex released meanwhile, until another thread signals that something has changed
/// (POSIX `pthread_cond_t`; guide: Using Conditions).
///
/// The mutex protects the *predicate* for which threads wait. Wait in a loop that tests it: a wait may end without a
/// signal, and another thread may have changed the predicate again.
/// ```swift
/// try mutex.withLock {
///     while try buffer.isEmpty { try changed.wait(with: mutex) }
///     …
/// }
/// ```
public final class Condition: Sendable {
    let handle: Handle

    /// - Parameter name: its name in traces, made unique within the run.
    public init(_ name: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        handle = Handle(.condition, shownAs: .condition, name, at: SourceSite(file, line))
    }

    deinit { handle.discard() }

    /// Releases the mutex and waits, in one step; reacquires the mutex before it returns.
    ///
    /// Like POSIX, this unlocks a recursive mutex only once. If the caller has locked it twice, it stays locked, and a
    /// thread that must lock it before it can signal waits forever.
    ///
    /// - Throws: `Misuse` `wait-not-owner`, if the caller does not hold the mutex; `wait-other-mutex`, if threads are
    ///   waiting here with another mutex; `invalid-value`, if the mutex is robust.
    public func wait(with mutex: Mutex, file: StaticString = #fileID, line: UInt = #line) throws {
        _ = try wait(with: mutex, until: .distantFuture, file: file, line: line)
    }

    /// Releases the mutex and waits, until the deadline at the latest. The mutex is held afterwards in either case.
    ///
    /// - Returns: false if the deadline passed before a signal came.
    public func wait(
        with mutex: Mutex, until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        let site = SourceSite(file, line)
        try mutex.checkWait(at: site)
        return try mutex.withoutCeiling(at: site) {
            try handle.wait(with: mutex.handle, until: deadline, at: site)
        }
    }

    /// Wakes one of the waiting threads, any of them. If no thread waits, the signal has no effect, now or later.
    public func signal(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.signal, at: SourceSite(file, line))
    }

    /// Wakes all waiting threads.
    public func broadcast(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.broadcast, at: SourceSite(file, line))
    }

    /// Destroys the condition: it must not be used again.
    ///
    /// - Throws: `Misuse` `destroy-held`, if a thread waits here.
    public func destroy(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.destroy, at: SourceSite(file, line))
    }
}
