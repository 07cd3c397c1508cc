import Execution
import Machine
import Synchronization
import Trace

/// A lock whose waiting threads keep their processors busy until it is free (POSIX `pthread_spinlock_t`; guide: Locks,
/// "Spin lock").
///
/// For sections of a few instructions, on several processors. A spinning thread keeps its processor busy: a holder that
/// needs that processor runs only when the spinning thread's time slice is over, and under fixed priorities perhaps
/// never. A thread that locks it twice waits for itself.
///
/// Built on an atomic. On real threads a waiting thread tests the lock in a loop, with a pause instruction in between.
/// After a tenth of a second it also sleeps between tests. Under the scheduler it tests the lock again only after a
/// change.
public final class SpinLock: Sendable {
    private let handle: Handle
    /// The number of the thread that holds the lock, plus 1. 0: no thread holds it.
    private let holder = Synchronization.Atomic(0)

    private static let free = 0
    private static let taken = 1

    /// - Parameter name: its name in traces, made unique within the run.
    public init(_ name: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        handle = Handle(.atomic, shownAs: .spinLock, name, value: Self.free, at: SourceSite(file, line))
    }

    deinit { handle.discard() }

    /// Spins until the lock is free, and acquires it.
    public func lock(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        while try !take(at: site) { try spin(at: site) }
    }

    /// Acquires the lock if it is free.
    ///
    /// - Returns: whether the caller now has it.
    public func tryLock(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try take(at: SourceSite(file, line))
    }

    /// Releases the lock.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`.
    public func unlock(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        guard holder.load(ordering: .relaxed) == me else { throw Misuse.recorded(.unlockNotOwner, at: site) }
        holder.store(0, ordering: .relaxed)
        try handle.perform(.store, Self.free, at: site)
    }

    /// Runs the body with the lock held, and releases it on every return path.
    public func withLock<Result>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try lock(file: file, line: line)
        let result: Result
        do { result = try body() } catch {
            try unlock(file: file, line: line)
            Misuse.recordAgain(error)
            throw error
        }
        try unlock(file: file, line: line)
        return result
    }

    private var me: Int { Int(handle.currentThread.index) + 1 }

    private func take(at site: SourceSite) throws -> Bool {
        guard try handle.perform(.compareExchange, Self.free, Self.taken, at: site) == Self.free else { return false }
        holder.store(me, ordering: .relaxed)
        return true
    }

    /// Spins until the lock is seen to be free. Under the scheduler each read of the loop after the first is possible
    /// only after a change, so no execution spins without end.
    private func spin(at site: SourceSite) throws {
        let manner = Operation.Watch.spinning | Operation.Watch.until(.equal)
        var watch = Operation.Watch.first
        while try handle.perform(.load, Self.free, watch | manner, at: site) != Self.free {
            watch = Operation.Watch.again
            try handle.with { runtime in
                try runtime.system?.waitForChange(of: handle.object, isSpinning: true, at: site) {
                    runtime.word(of: handle.object) == Self.free
                }
            }
        }
    }
}
