import Execution
import Machine
import Trace

/// A lock with a number, its *condition*, that threads can wait for (guide: Using an NSConditionLock Object).
///
/// Any of the locking methods can be combined with any of the unlocking methods. Built on a mutex and a condition.
public final class ConditionLock: Sendable {
    private let handle: Handle
    private let gate: Part
    private let changed: Part
    /// Accessed with `gate` held.
    private let state: Guarded<State>
    /// Names of conditions in traces.
    private let names: [Int: String]

    private struct State {
        /// The number of the thread that has the lock, plus one. 0: the lock is free.
        var holder = 0
        var condition: Int
    }

    /// - Parameters:
    ///   - condition: the initial number.
    ///   - names: the names of the numbers in traces: `[0: "NO_DATA", 1: "HAS_DATA"]`.
    public init(
        _ name: String? = nil, condition: Int = 0, names: [Int: String] = [:], file: StaticString = #fileID,
        line: UInt = #line
    ) {
        let site = SourceSite(file, line)
        handle = Handle(.other, shownAs: .conditionLock, name, at: site)
        gate = Part(lockOf: name ?? "condition lock", handle.object, at: site)
        changed = Part(conditionOf: name ?? "condition lock", handle.object, at: site)
        state = Guarded(State(condition: condition))
        self.names = names
    }

    /// The condition at this moment. Another thread may change it before the caller uses the result.
    public func condition(file: StaticString = #fileID, line: UInt = #line) throws -> Int {
        try gate.withLock(at: SourceSite(file, line)) { state.value.condition }
    }

    /// Waits until the lock is free, whatever its condition.
    public func lock(file: StaticString = #fileID, line: UInt = #line) throws {
        _ = try take(nil, until: .distantFuture, SourceSite(file, line))
    }

    /// Waits until the lock is free and has this condition.
    public func lock(
        whenCondition condition: Int, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        _ = try take(condition, until: .distantFuture, SourceSite(file, line))
    }

    /// Waits until the lock is free and has this condition, or until the deadline.
    ///
    /// - Returns: whether the caller now has the lock.
    public func lock(
        whenCondition condition: Int, until deadline: Instant, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try take(condition, until: deadline, SourceSite(file, line))
    }

    /// Takes the lock if it is free, whatever its condition.
    public func tryLock(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        try take(nil, until: .distantPast, SourceSite(file, line))
    }

    /// Takes the lock if it is free and has this condition.
    public func tryLock(
        whenCondition condition: Int, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        try take(condition, until: .distantPast, SourceSite(file, line))
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

    /// - Parameter condition: the condition to wait for. Nil: any.
    private func take(_ condition: Int?, until deadline: Instant, _ site: SourceSite) throws -> Bool {
        try gate.withLock(at: site) {
            while !isFree(at: condition) {
                if deadline == .distantPast { return false }
                sayWait(for: condition, site)
                guard try changed.wait(with: gate, until: deadline, at: site) else {
                    // The deadline has passed, and the lock may have become free just before.
                    guard isFree(at: condition) else { return false }
                    break
                }
            }
            state.value.holder = Int(handle.currentThread.index) + 1
            record(.conditionLockAcquire, orNamed: .conditionLockAcquireNamed, site)
            return true
        }
    }

    /// Whether the lock is free and has this condition. Nil: any condition will do.
    private func isFree(at condition: Int?) -> Bool {
        state.value.holder == 0 && (condition.map { $0 == state.value.condition } ?? true)
    }

    /// Records in the trace that the thread is about to wait, for which condition, and what it found instead.
    private func sayWait(for condition: Int?, _ site: SourceSite) {
        handle.recordWait(for: condition.map { "at \(word($0))" } ?? "", at: site) { runtime in
            let holder = state.value.holder
            return holder == 0
                ? "at \(word(state.value.condition))" : "held by \(runtime.name(of: ThreadID(holder - 1)))"
        }
    }

    private func word(_ condition: Int) -> String { names[condition] ?? "\(condition)" }

    private func release(condition: Int?, _ site: SourceSite) throws {
        try gate.withLock(at: site) {
            guard state.value.holder == Int(handle.currentThread.index) + 1 else {
                throw Misuse.recorded(.unlockNotOwner, at: site)
            }
            state.value.holder = 0
            if let condition { state.value.condition = condition }
            record(.conditionLockRelease, orNamed: .conditionLockReleaseNamed, site)
            try changed.broadcast(at: site)
        }
    }

    /// Records the remark with the condition's number, or the other one with its name if it has one.
    private func record(_ remark: Remark, orNamed namedRemark: Remark, _ site: SourceSite) {
        if let name = names[state.value.condition] {
            handle.record(namedRemark, text: name, at: site)
        } else {
            handle.record(remark, state.value.condition, at: site)
        }
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let conditionLockAcquire = Remark(
        "condition-lock.acquire", "lock {object} at {value}", value: .number,
        says: "It has the condition lock, with this condition")
    fileprivate static let conditionLockRelease = Remark(
        "condition-lock.release", "unlock {object} at {value}", value: .number,
        says: "It released the condition lock, with this condition")
    fileprivate static let conditionLockAcquireNamed = Remark(
        "condition-lock.acquire-at", "lock {object} at {value}", value: .text,
        says: "It has the condition lock, with this condition, which the program has named")
    fileprivate static let conditionLockReleaseNamed = Remark(
        "condition-lock.release-at", "unlock {object} at {value}", value: .text,
        says: "It released the condition lock, with this condition, which the program has named")
}
