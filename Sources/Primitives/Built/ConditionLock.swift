import Execution
import Machine
import Trace

/// A lock with a number, its *condition*, that threads can wait for (guide: Using an NSConditionLock Object).
///
/// Any of the locking methods can be combined with any of the unlocking methods. Built on a mutex and a condition.
public final class ConditionLock: Sendable {
    private let handle: Handle
    private let gate: Mutex
    private let changed: Condition
    /// Written with `gate` held: which thread has the lock (its thread's number plus one), and the condition.
    private let state: Guarded<State>

    private struct State {
        var holder = 0
        var condition: Int
    }

    /// - Parameter condition: the initial number.
    public init(
        _ name: String? = nil, condition: Int = 0, file: StaticString = #fileID, line: UInt = #line
    ) {
        let site = SourceSite(file, line)
        handle = Handle(.other, shownAs: .conditionLock, name, at: site)
        gate = Mutex(partOf: name ?? "condition lock", at: site)
        changed = Condition(partOf: name ?? "condition lock", at: site)
        state = Guarded(State(condition: condition))
    }

    /// The condition at this moment. Another thread may change it before the caller uses the result.
    public func condition() throws -> Int { try gate.withLock { state.value.condition } }

    /// Waits until the lock is free, whatever its condition.
    public func lock(file: StaticString = #fileID, line: UInt = #line) throws {
        _ = try take(until: .distantFuture, SourceSite(file, line)) { _ in true }
    }

    /// Waits until the lock is free and has this condition.
    public func lock(
        whenCondition condition: Int, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        _ = try take(until: .distantFuture, SourceSite(file, line)) { $0 == condition }
    }

    /// The same, until the deadline at the latest.
    ///
    /// - Returns: whether the caller now has the lock.
    public func lock(
        whenCondition condition: Int, until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try take(until: deadline, SourceSite(file, line)) { $0 == condition }
    }

    /// Takes the lock if it is free, whatever its condition.
    public func tryLock(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try take(until: .distantPast, SourceSite(file, line)) { _ in true }
    }

    /// Takes the lock if it is free and has this condition.
    public func tryLock(
        whenCondition condition: Int, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try take(until: .distantPast, SourceSite(file, line)) { $0 == condition }
    }

    /// Releases the lock; its condition stays the same.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`.
    public func unlock(file: StaticString = #fileID, line: UInt = #line) throws {
        try release(condition: nil, SourceSite(file, line))
    }

    /// Releases the lock with a new condition.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`.
    public func unlock(
        withCondition condition: Int, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try release(condition: condition, SourceSite(file, line))
    }

    private func take(
        until deadline: Instant, _ site: SourceSite, when fits: (Int) -> Bool
    ) throws -> Bool {
        try gate.withLock {
            while state.value.holder != 0 || !fits(state.value.condition) {
                if deadline == .distantPast { return false }
                guard try changed.wait(with: gate, until: deadline, at: site) else {
                    guard state.value.holder == 0 && fits(state.value.condition) else { return false }
                    break
                }
            }
            state.value.holder = Int(handle.currentThread.index) + 1
            handle.record(.conditionLockAcquire, state.value.condition, at: site)
            return true
        }
    }

    private func release(condition: Int?, _ site: SourceSite) throws {
        try gate.withLock {
            guard state.value.holder == Int(handle.currentThread.index) + 1 else {
                throw Misuse.recorded(.unlockNotOwner, at: site)
            }
            state.value.holder = 0
            if let condition { state.value.condition = condition }
            handle.record(.conditionLockRelease, state.value.condition, at: site)
            try changed.broadcast()
        }
    }
}
