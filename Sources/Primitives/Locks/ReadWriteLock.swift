import Execution
import Machine
import Trace

/// A lock that many readers or one writer can hold (POSIX `pthread_rwlock_t`).
public final class ReadWriteLock: Sendable {
    /// Whether a new reader is admitted while a writer waits.
    public enum Preference: Sendable {
        /// A new reader is admitted, as by glibc's default. A steady stream of readers keeps a writer out forever.
        case readers
        /// A new reader waits behind the writer. A thread that already reads must not lock again: it would wait behind
        /// the writer, which waits for it.
        case writers
    }

    let handle: Handle

    /// - Parameter name: its name in traces, made unique within the run.
    public init(
        _ name: String? = nil, prefer preference: Preference = .readers, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let kind: ObjectState.Kind = preference == .readers ? .readersFirstLock : .writersFirstLock
        handle = Handle(kind, shownAs: .readWriteLock, name, at: SourceSite(file, line))
    }

    deinit { handle.discard() }

    /// Waits until the caller may read.
    ///
    /// - Throws: `Misuse` `relock` (POSIX `EDEADLK`), if the caller writes.
    public func lockToRead(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.readLock, at: SourceSite(file, line))
    }

    /// Waits until the caller may write. There is no upgrade: a thread that holds the lock for reading would wait for
    /// itself.
    ///
    /// - Throws: `Misuse` `relock` (POSIX `EDEADLK`), if the caller writes already.
    public func lockToWrite(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.writeLock, at: SourceSite(file, line))
    }

    /// Acquires the lock for reading if that is possible at once. Returns whether the caller now has it.
    public func tryLockToRead(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try handle.perform(.tryReadLock, at: SourceSite(file, line)) != 0
    }

    /// Acquires the lock for writing if that is possible at once. Returns whether the caller now has it.
    public func tryLockToWrite(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try handle.perform(.tryWriteLock, at: SourceSite(file, line)) != 0
    }

    /// Waits until the caller may read, until the deadline at the latest. Returns whether it now has the lock.
    public func lockToRead(
        until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try handle.perform(.readLockUntil, 0, deadline.nanoseconds, at: SourceSite(file, line)) != 0
    }

    /// Waits until the caller may write, until the deadline at the latest. Returns whether it now has the lock.
    public func lockToWrite(
        until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try handle.perform(.writeLockUntil, 0, deadline.nanoseconds, at: SourceSite(file, line)) != 0
    }

    /// Releases the caller's hold, for reading or writing.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`.
    public func unlock(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.unlockShared, at: SourceSite(file, line))
    }

    /// Turns the caller's hold for writing into one for reading, with no other writer in between. POSIX has no such
    /// call; Boost has one (`unlock_and_lock_shared`), and Java's `ReentrantReadWriteLock` allows it in two calls. The
    /// reverse is not possible without `unlock`.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`, if the caller does not hold it for writing.
    public func downgrade(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.downgrade, at: SourceSite(file, line))
    }

    /// Runs the body with the lock held for reading.
    public func withReadLock<Result>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try holding({ try lockToRead(file: file, line: line) }, { try unlock(file: file, line: line) }, body)
    }

    /// Runs the body with the lock held for writing.
    public func withWriteLock<Result>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try holding({ try lockToWrite(file: file, line: line) }, { try unlock(file: file, line: line) }, body)
    }

    /// Destroys the lock: it must not be used again.
    ///
    /// - Throws: `Misuse` `destroy-held`, if a thread holds it.
    public func destroy(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.destroy, at: SourceSite(file, line))
    }
}
