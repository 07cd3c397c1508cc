import Execution
import Machine
import Trace

/// A lock that one thread at a time holds (POSIX `pthread_mutex_t`; guide: Using a POSIX Mutex Lock).
///
/// No order among waiting threads is promised: any of them may get it next.
public final class Mutex: Sendable {
    /// What a mutex does when its holder locks it again, and when a thread unlocks what it does not hold.
    public enum Kind: Sendable {
        /// Locking again waits for ever: a deadlock of one thread. Unlocking by another thread is undefined in POSIX; here it
        /// is a misuse (`unlock-not-owner`).
        case normal
        /// Both are refused: `relock` (POSIX `EDEADLK`), `unlock-not-owner` (`EPERM`).
        case errorChecking
        /// Locking again counts; the lock is free after as many unlocks.
        case recursive
    }

    let handle: Handle

    /// - Parameter name: what traces call it. Made unique within the run.
    public init(
        _ name: String? = nil, _ kind: Kind = .normal, file: StaticString = #fileID, line: UInt = #line
    ) {
        let site = SourceSite(file, line)
        switch kind {
        case .normal: handle = Handle(.normalMutex, shownAs: .mutex, name, at: site)
        case .errorChecking: handle = Handle(.errorCheckingMutex, shownAs: .errorCheckingMutex, name, at: site)
        case .recursive: handle = Handle(.recursiveMutex, shownAs: .recursiveMutex, name, at: site)
        }
    }

    /// A lock inside a built primitive, which traces show only when somebody is blocked on it.
    init(partOf owner: String, at site: SourceSite) {
        handle = Handle(.normalMutex, shownAs: .part, "\(owner)'s lock", at: site)
    }

    deinit { handle.discard() }

    /// Waits until the mutex is free, and takes it.
    ///
    /// - Throws: `Misuse` `relock`, from an error-checking mutex that the caller holds.
    public func lock(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.lock, at: SourceSite(file, line))
    }

    /// Takes the mutex if it is free, or the caller's own and recursive.
    ///
    /// - Returns: whether the caller has it now.
    public func tryLock(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try handle.perform(.tryLock, at: SourceSite(file, line)) != 0
    }

    /// Waits until the mutex is free or the deadline has passed. A free mutex is taken whatever the deadline.
    ///
    /// - Returns: whether the caller has it now.
    public func lock(
        until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try handle.perform(.lockUntil, 0, deadline.nanoseconds, at: SourceSite(file, line)) != 0
    }

    /// Frees the mutex. A recursive one is free after as many unlocks as locks.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`.
    public func unlock(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.unlock, at: SourceSite(file, line))
    }

    /// Runs the body with the mutex held, and frees it on every way out.
    @inlinable
    public func withLock<Result>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try holding({ try lock(file: file, line: line) }, { try unlock(file: file, line: line) }, body)
    }

    /// Says that the mutex will not be used again.
    ///
    /// - Throws: `Misuse` `destroy-held` (POSIX `EBUSY`), if a thread holds it.
    public func destroy(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.destroy, at: SourceSite(file, line))
    }
}
