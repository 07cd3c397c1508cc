import Execution
import Machine
import Synchronization
import Text
import Trace

/// A lock that one thread at a time can hold (POSIX `pthread_mutex_t`; guide: Using a POSIX Mutex Lock).
///
/// The order among waiting threads is unspecified: any of them may get it next.
public final class Mutex: Sendable {
    /// What a mutex does when its holder locks it again, and when a thread that does not hold it unlocks it.
    public enum Kind: Sendable {
        /// Locking again waits forever: a deadlock of one thread. Unlocking by another thread is undefined in POSIX;
        /// here it is a misuse (`unlock-not-owner`).
        case normal
        /// Both are refused: `relock` (POSIX `EDEADLK`), `unlock-not-owner` (`EPERM`).
        case errorChecking
        /// Locking again increments a count; the lock is free after as many unlocks.
        case recursive
        /// If a thread ends while holding it, the next thread that locks it gets it, sees this in `ownerDied`, and
        /// calls `makeConsistent` once it has repaired what the mutex protects. If it is released before that, no
        /// thread can lock it again (POSIX `PTHREAD_MUTEX_ROBUST`). It cannot be used with a condition.
        case robust
    }

    let handle: Handle
    /// Nil: the mutex is not robust.
    private let bequest: Bequest?

    /// - Parameter name: its name in traces, made unique within the run.
    public init(
        _ name: String? = nil, _ kind: Kind = .normal, file: StaticString = #fileID, line: UInt = #line
    ) {
        let site = SourceSite(file, line)
        bequest = kind == .robust ? Bequest() : nil
        switch kind {
        case .robust: handle = Handle(.normalMutex, shownAs: .mutex, name, at: site)
        case .normal: handle = Handle(.normalMutex, shownAs: .mutex, name, at: site)
        case .errorChecking: handle = Handle(.errorCheckingMutex, shownAs: .errorCheckingMutex, name, at: site)
        case .recursive: handle = Handle(.recursiveMutex, shownAs: .recursiveMutex, name, at: site)
        }
    }

    /// A lock inside a built primitive, which traces show only when a thread is blocked on it.
    init(partOf owner: String, at site: SourceSite) {
        handle = Handle(.normalMutex, shownAs: .part, "\(owner.possessive) lock", at: site)
        bequest = nil
    }

    deinit { handle.discard() }

    /// Waits until the mutex is free, and acquires it.
    ///
    /// - Throws: `Misuse` `relock`, for an error-checking mutex that the caller holds; `Unusable`, for a robust one.
    public func lock(file: StaticString = #fileID, line: UInt = #line) throws {
        _ = try take(.lock, at: SourceSite(file, line))
    }

    /// Acquires the mutex if it is free, or recursive and held by the caller.
    ///
    /// - Returns: whether the caller now has it.
    public func tryLock(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try take(.tryLock, at: SourceSite(file, line))
    }

    /// Waits until the mutex is free or the deadline has passed. A free mutex is acquired whatever the deadline.
    ///
    /// - Returns: whether the caller now has it.
    public func lock(
        until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try take(.lockUntil, deadline.nanoseconds, at: SourceSite(file, line))
    }

    /// Releases the mutex. A recursive one is free after as many unlocks as locks.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`.
    public func unlock(file: StaticString = #fileID, line: UInt = #line) throws {
        guard let bequest else {
            try handle.perform(.unlock, at: SourceSite(file, line))
            return
        }
        try handle.perform(.unlock, bequest.markOfHolder, at: SourceSite(file, line))
        bequest.slot?.value = nil
    }

    /// Runs the body with the mutex held, and releases it on every return path.
    @inlinable
    public func withLock<Result>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try holding({ try lock(file: file, line: line) }, { try unlock(file: file, line: line) }, body)
    }

    /// For built primitives, which pass their caller's site.
    func withLock<Result>(at site: SourceSite, _ body: () throws -> Result) throws -> Result {
        try holding({ try handle.perform(.lock, at: site) }, { try handle.perform(.unlock, at: site) }, body)
    }

    /// Destroys the mutex: it must not be used again.
    ///
    /// - Throws: `Misuse` `destroy-held` (POSIX `EBUSY`), if a thread holds it.
    public func destroy(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.destroy, at: SourceSite(file, line))
    }

    // MARK: - Robust mutexes

    /// For a robust mutex that the caller holds: whether a thread ended holding it, and the mutex has not been made
    /// consistent since.
    public var ownerDied: Bool { bequest?.isDisordered.load(ordering: .relaxed) ?? false }

    /// Marks what the robust mutex protects as consistent again. For the thread that holds it (POSIX
    /// `pthread_mutex_consistent`).
    public func makeConsistent() { bequest?.isDisordered.store(false, ordering: .relaxed) }

    /// A robust mutex was released while inconsistent: no thread can lock it again (POSIX `ENOTRECOVERABLE`).
    public struct Unusable: Error, CustomStringConvertible {
        public let description = "the mutex is unusable: it was released before it was made consistent"
    }

    /// Locks the mutex, if possible. Returns whether the caller now has it.
    ///
    /// - Throws: `Misuse` `invalid-value`, for a robust mutex if the system has no keys left (1,024 on Linux).
    private func take(_ kind: Operation.Kind, _ deadline: Int = 0, at site: SourceSite) throws -> Bool {
        guard let bequest else { return try handle.perform(kind, 0, deadline, at: site) != Rule.Locked.busy }
        guard let slot = bequest.slot else { throw Misuse.recorded(.invalidValue, at: site) }
        let result = try handle.perform(kind, 0, deadline, at: site)
        if result == Rule.Locked.never { throw Unusable() }
        if result == Rule.Locked.busy { return false }
        if result == Rule.Locked.ownerDied { bequest.isDisordered.store(true, ordering: .relaxed) }
        slot.value = Hold(self)
        return true
    }

    /// The thread ends holding the mutex.
    fileprivate func abandon() {
        // Once the run has ended no thread is left to observe it.
        _ = try? handle.perform(.unlock, ObjectState.Mark.ownerDied, at: .unknown)
    }

    /// Throws if the mutex cannot be used with a condition.
    func checkWait(at site: SourceSite) throws {
        if bequest != nil { throw Misuse.recorded(.invalidValue, at: site) }
    }

    /// How a robust mutex learns that its owner ends, and the state that it was left in.
    private final class Bequest: Sendable {
        /// Only the thread that holds the mutex accesses it.
        let isDisordered = Synchronization.Atomic(false)
        /// The owner's slot. Nil: the system had no keys left, which the first attempt to lock reports.
        let slot = try? ThreadSlot<Hold> { $0.mutex.abandon() }

        deinit { slot?.delete() }

        var markOfHolder: Int {
            isDisordered.load(ordering: .relaxed) ? ObjectState.Mark.unusable : ObjectState.Mark.none
        }
    }

    private final class Hold: KillNotice, Sendable {
        let mutex: Mutex

        init(_ mutex: Mutex) { self.mutex = mutex }

        /// The kernel does this for a real robust mutex: it keeps a list of them for each thread.
        func ownerIsKilled() { mutex.abandon() }
    }
}
