import Execution
import Machine
import Trace

/// A number of permits. A thread takes a permit or waits for one, and any thread can return one (POSIX `sem_t`). It has
/// no owner.
public final class Semaphore: Sendable {
    /// The greatest value (POSIX `SEM_VALUE_MAX`).
    public static let maximumValue = Int(Int32.max)

    let handle: Handle

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - value: the initial number of permits, from 0 to `maximumValue`.
    /// - Throws: `Misuse` `invalid-value`.
    public init(
        _ name: String? = nil, value: Int, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        guard (0...Self.maximumValue).contains(value) else { throw Misuse.recorded(.invalidValue, at: site) }
        handle = Handle(.semaphore, shownAs: .semaphore, name, value: value, at: site)
    }

    deinit { handle.discard() }

    /// Waits until there is a permit, and takes it.
    public func wait(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.semaphoreWait, at: SourceSite(file, line))
    }

    /// Takes a permit if one is available.
    ///
    /// - Returns: whether the caller took one.
    public func tryWait(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try handle.perform(.semaphoreTryWait, at: SourceSite(file, line)) != 0
    }

    /// Waits for a permit until the deadline at the latest. An available permit is taken whatever the deadline.
    ///
    /// - Returns: whether the caller took one.
    public func wait(until deadline: Instant, file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try handle.perform(.semaphoreWaitUntil, 0, deadline.nanoseconds, at: SourceSite(file, line)) != 0
    }

    /// Returns a permit: one waiting thread continues, if there is one (POSIX `sem_post`).
    ///
    /// - Throws: `Misuse` `semaphore-overflow` (POSIX `EOVERFLOW`).
    public func signal(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.semaphoreSignal, at: SourceSite(file, line))
    }

    /// The number of available permits at this moment. Another thread may change it before the caller uses the result.
    public func value(file: StaticString = #fileID, line: UInt = #line) throws -> Int {
        try handle.perform(.semaphoreValue, at: SourceSite(file, line))
    }
}
