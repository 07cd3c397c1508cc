import Execution
import Machine
import Synchronization
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
        /// Both are refused, with `relock` (POSIX `EDEADLK`) and `unlock-not-owner` (`EPERM`).
        case errorChecking
        /// Locking again increments a count. The mutex is free after as many unlocks.
        case recursive
        /// If a thread ends while it holds the mutex, the next thread can lock it, and finds `ownerDied` set. That
        /// thread repairs the protected data, and calls `makeConsistent`. If it unlocks the mutex before that, no
        /// thread can lock the mutex again (POSIX `PTHREAD_MUTEX_ROBUST`). Cannot be used with a condition.
        case robust
    }

    /// How a mutex treats threads of low priority that hold it (POSIX `pthread_mutexattr_setprotocol`).
    public enum PriorityProtocol: Sendable {
        /// While a thread of a higher priority waits for the mutex, its holder has that priority
        /// (`PTHREAD_PRIO_INHERIT`). On real threads, Linux does this for threads with a real-time policy. The
        /// controlled scheduler has no priorities, so there the mutex is an ordinary one.
        case inherit
        /// From lock to unlock, the holder has this priority, 0 to 31 (`PTHREAD_PRIO_PROTECT`). Linux refuses such a
        /// mutex to threads without a real-time policy, so the mutex changes the holder's priority itself. Like
        /// `Thread.setPriority`, this is a hint.
        case ceiling(Int)
    }

    let handle: Handle
    /// What a robust mutex keeps about its owners. Nil: the mutex is not robust.
    private let bequest: Bequest?
    /// The priority ceiling. Nil: the mutex has none.
    private let ceiling: Ceiling?

    /// - Parameter name: its name in traces, made unique within the run.
    public init(
        _ name: String? = nil, _ kind: Kind = .normal, file: StaticString = #fileID, line: UInt = #line
    ) {
        let site = SourceSite(file, line)
        ceiling = nil
        bequest = kind == .robust ? Bequest() : nil
        switch kind {
        case .robust: handle = Handle(.normalMutex, shownAs: .mutex, name, at: site)
        case .normal: handle = Handle(.normalMutex, shownAs: .mutex, name, at: site)
        case .errorChecking: handle = Handle(.errorCheckingMutex, shownAs: .errorCheckingMutex, name, at: site)
        case .recursive: handle = Handle(.recursiveMutex, shownAs: .recursiveMutex, name, at: site)
        }
    }

    /// A plain mutex with a priority protocol.
    ///
    /// - Throws: `Misuse` `invalid-value`, if a ceiling is not a priority.
    public init(
        _ name: String? = nil, priority: PriorityProtocol, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        let site = SourceSite(file, line)
        bequest = nil
        switch priority {
        case .inherit:
            ceiling = nil
            handle = Handle(.normalMutex, shownAs: .inheritingMutex, name, at: site)
        case .ceiling(let priority):
            if ThreadAttributes.refusal(ofPriority: priority) != nil { throw Misuse.recorded(.invalidValue, at: site) }
            ceiling = Ceiling(priority)
            handle = Handle(.normalMutex, shownAs: .ceilingMutex, name, at: site)
        }
    }

    /// For built primitives, which pass their caller's site.
    init(recursiveNamed name: String, at site: SourceSite) {
        handle = Handle(.recursiveMutex, shownAs: .recursiveMutex, name, at: site)
        bequest = nil
        ceiling = nil
    }

    deinit { handle.discard() }

    /// Waits until the mutex is free, and acquires it.
    ///
    /// - Throws: `Misuse` `relock`, for an error-checking mutex that the caller holds; `Unusable`, for a robust mutex
    ///   that no thread can lock again.
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

    /// Releases the mutex. A recursive mutex is free after as many unlocks as locks.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`.
    public func unlock(file: StaticString = #fileID, line: UInt = #line) throws {
        guard let bequest else {
            let site = SourceSite(file, line)
            let before = ceiling?.before
            try handle.perform(.unlock, at: site)
            if let before { handle.with { $0.setPriority(before, at: site) } }
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

    /// Destroys the mutex: it must not be used again.
    ///
    /// - Throws: `Misuse` `destroy-held` (POSIX `EBUSY`), if a thread holds it.
    public func destroy(file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.destroy, at: SourceSite(file, line))
    }

    // MARK: - Robust mutexes

    /// For a robust mutex that the caller holds: whether a thread has ended while holding it, and `makeConsistent` has
    /// not been called since.
    public var ownerDied: Bool { bequest?.isDisordered.load(ordering: .relaxed) ?? false }

    /// Marks the data that the robust mutex protects as consistent again. For the thread that holds it (POSIX
    /// `pthread_mutex_consistent`).
    public func makeConsistent() { bequest?.isDisordered.store(false, ordering: .relaxed) }

    /// A robust mutex was released while inconsistent: no thread can lock it again (POSIX `ENOTRECOVERABLE`).
    public struct Unusable: Error, CustomStringConvertible {
        public let description = "the mutex is unusable: it was released before it was made consistent"
    }

    /// Performs one of the operations `lock`, `tryLock` and `lockUntil`. Returns whether the caller now has the mutex.
    ///
    /// - Parameter deadline: for `lockUntil`, in nanoseconds of the run.
    /// - Throws: `Unusable`; `Misuse` `invalid-value`, for a robust mutex if the system has no keys left (1,024 on
    ///   Linux).
    private func take(_ kind: Operation.Kind, _ deadline: Int = 0, at site: SourceSite) throws -> Bool {
        if let ceiling { return try take(kind, deadline, ceiling, at: site) }
        guard let bequest else { return try handle.perform(kind, 0, deadline, at: site) != Mutexes.Locked.busy }
        guard let slot = bequest.slot else { throw Misuse.recorded(.invalidValue, at: site) }
        let result = try handle.perform(kind, 0, deadline, at: site)
        if result == Mutexes.Locked.never { throw Unusable() }
        if result == Mutexes.Locked.busy { return false }
        if result == Mutexes.Locked.ownerDied { bequest.isDisordered.store(true, ordering: .relaxed) }
        slot.value = Hold(self)
        return true
    }

    /// Does the same for a mutex with a ceiling, and raises the priority of the caller to the ceiling. Returns whether
    /// the caller now has the mutex.
    ///
    /// - Throws: `Misuse` `invalid-value`, if the caller's priority is higher than the ceiling (POSIX `EINVAL`).
    private func take(_ kind: Operation.Kind, _ deadline: Int, _ ceiling: Ceiling, at site: SourceSite) throws -> Bool {
        let own = handle.with(\.priority)
        if own > ceiling.priority { throw Misuse.recorded(.invalidValue, at: site) }
        guard try handle.perform(kind, 0, deadline, at: site) != Mutexes.Locked.busy else { return false }
        ceiling.before = own
        handle.with { $0.setPriority(ceiling.priority, at: site) }
        return true
    }

    /// Runs a wait, during which the mutex is free and the caller has its own priority again.
    func withoutCeiling(at site: SourceSite, _ wait: () throws -> Bool) throws -> Bool {
        guard let ceiling else { return try wait() }
        let (before, now) = (ceiling.before, handle.with(\.priority))
        handle.with { $0.setPriority(before, at: site) }
        let result: Bool
        do { result = try wait() } catch {
            // The wait failed, perhaps because the caller does not hold the mutex.
            handle.with { $0.setPriority(now, at: site) }
            throw error
        }
        ceiling.before = before
        handle.with { $0.setPriority(ceiling.priority, at: site) }
        return result
    }

    /// Releases a robust mutex whose owner is ending, on that thread. The next thread that locks it finds `ownerDied`.
    fileprivate func abandon() {
        // An error would mean that the run has ended, and then no thread is left that could lock the mutex.
        _ = try? handle.perform(.unlock, ObjectState.Mark.ownerDied, at: .unknown)
    }

    /// Throws `invalid-value` for a robust mutex, which cannot be used with a condition.
    func checkWait(at site: SourceSite) throws {
        if bequest != nil { throw Misuse.recorded(.invalidValue, at: site) }
    }

    /// How a robust mutex learns that its owner has ended, and whether the data that it protects is inconsistent.
    private final class Bequest: Sendable {
        /// Whether an owner has ended, and `makeConsistent` has not been called since. Only the thread that holds the
        /// mutex accesses it.
        let isDisordered = Synchronization.Atomic(false)
        /// A thread-local slot, which has a value on the owner only: when that thread ends, the slot's destructor
        /// abandons the mutex. Nil: the system had no keys left, which the first attempt to lock reports.
        let slot = try? ThreadSlot<Hold>(nil, shownAs: .part, at: .unknown) { $0.mutex.abandon() }

        deinit { slot?.delete() }

        /// What an unlock by the holder leaves behind: a mutex that no thread can lock, if the data is still
        /// inconsistent.
        var markOfHolder: Int {
            isDisordered.load(ordering: .relaxed) ? ObjectState.Mark.unusable : ObjectState.Mark.none
        }
    }

    /// The value in the slot of a thread that holds the robust mutex.
    private final class Hold: KillNotice, Sendable {
        let mutex: Mutex

        init(_ mutex: Mutex) { self.mutex = mutex }

        /// Releases the mutex of a thread that is killed, for which no destructor runs. For a real robust mutex the
        /// kernel does this, from its list of the robust mutexes that each thread holds.
        func ownerIsKilled() { mutex.abandon() }
    }

    /// The priority ceiling of a mutex, and the priority to which its holder returns.
    private final class Ceiling: Sendable {
        let priority: Int
        private let priorityBefore = Synchronization.Atomic(0)

        init(_ priority: Int) { self.priority = priority }

        /// The holder's priority before it locked the mutex.
        var before: Int {
            get { priorityBefore.load(ordering: .relaxed) }
            set { priorityBefore.store(newValue, ordering: .relaxed) }
        }
    }
}
