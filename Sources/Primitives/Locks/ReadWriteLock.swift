import Execution
import Machine
import Trace

/// A lock that many readers or one writer hold (POSIX `pthread_rwlock_t`).
public final class ReadWriteLock: Sendable {
    /// Whether a new reader gets in while a writer waits.
    public enum Preference: Sendable {
        /// It does, as with glibc's default: readers that keep coming keep a writer out forever.
        case readers
        /// It waits behind the writer. A thread that reads already must not ask again: it would wait for itself.
        case writers
    }

    let handle: Handle

    /// - Parameter name: what traces call it. Made unique within the run.
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

    /// Waits until the caller may write. A thread that holds the lock to read waits for itself: there is no upgrade.
    ///
    /// - Throws: `Misuse` `relock` (POSIX `EDEADLK`), if the caller writes already.
    public func lockToWrite(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.writeLock, at: SourceSite(file, line))
    }

    /// Takes the lock to read if that is possible at once.
    public func tryLockToRead(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try handle.perform(.tryReadLock, at: SourceSite(file, line)) != 0
    }

    /// Takes the lock to write if that is possible at once.
    public func tryLockToWrite(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try handle.perform(.tryWriteLock, at: SourceSite(file, line)) != 0
    }

    /// Waits until the caller may read, until the deadline at most.
    public func lockToRead(
        until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try handle.perform(.readLockUntil, 0, deadline.nanoseconds, at: SourceSite(file, line)) != 0
    }

    /// Waits until the caller may write, until the deadline at most.
    public func lockToWrite(
        until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try handle.perform(.writeLockUntil, 0, deadline.nanoseconds, at: SourceSite(file, line)) != 0
    }

    /// Gives up the caller's hold, whichever it is.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`.
    public func unlock(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.unlockShared, at: SourceSite(file, line))
    }

    /// Runs the body with the lock held to read.
    public func withReadLock<Result>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try holding({ try lockToRead(file: file, line: line) }, { try unlock(file: file, line: line) }, body)
    }

    /// Runs the body with the lock held to write.
    public func withWriteLock<Result>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try holding({ try lockToWrite(file: file, line: line) }, { try unlock(file: file, line: line) }, body)
    }

    /// Says that the lock will not be used again.
    ///
    /// - Throws: `Misuse` `destroy-held`, if a thread holds it.
    public func destroy(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.destroy, at: SourceSite(file, line))
    }
}
