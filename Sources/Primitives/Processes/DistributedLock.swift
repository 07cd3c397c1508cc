import Execution
import Machine
import Synchronization
import Trace

/// A lock between processes: a file that exists while the lock is held (guide: Using an NSDistributedLock Object; Foundation's
/// `NSDistributedLock`).
///
/// It can only be tried. If its owner ends without unlocking it, the file stays, and the lock is held until a process
/// breaks it. On real threads it is a real file in the run's scratch directory; under the scheduler it is a model.
public final class DistributedLock: Sendable {
    private let place: Place
    private let name: String
    /// What the file contains while this object holds the lock; 0: it does not hold it.
    private let token = Synchronization.Atomic(0)

    /// The file as traces show it.
    private final class Place: Sendable {
        let shown: Handle
        /// The number of times that this process has locked it.
        let count = Synchronization.Atomic(0)

        init(_ name: String, at site: SourceSite) {
            shown = Handle(.other, shownAs: .distributedLock, name, at: site)
        }

        deinit { shown.discard() }
    }

    /// Whose lock it is.
    public struct Holder: Equatable, Sendable {
        package let token: Int

        /// Whether the process that locked it runs, on this machine: the file contains its number, which means nothing on
        /// another machine that shares the file system. The answer can be outdated at once; and after a long time
        /// another process may have the number of the first.
        public func isAlive() throws -> Bool {
            let number = token >> DistributedLock.countBits
            let runtime = ThreadContext.runtime
            if let system = runtime.with({ $0.system }) { return system.isProcessAlive(number) }
            // A model's number is that of the atomic that says whether it has ended.
            let hasEnded = Operation(.load, UInt32(number))
            return try number == 0 || runtime.perform(hasEnded, on: .none, at: .unknown) == 0
        }
    }

    /// The lock was broken while this object held it: what it protects may have been changed by another process.
    public struct Broken: Error, CustomStringConvertible {
        public let description = "the lock was broken while it was held"
    }

    private static let countBits = 16

    /// - Parameter name: the name of its file, also in traces.
    /// - Throws: `FileFailed`, if it cannot be the name of a file: it is empty, too long, or a path.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) throws {
        try FileName.check(name)
        self.name = name
        place = Place(name, at: SourceSite(file, line))
    }

    /// Another object for the same file, for instance another process's.
    public init(sameFileAs other: DistributedLock) {
        name = other.name
        place = other.place
    }

    /// Acquires the lock if no process, and no other object in this one, has it.
    ///
    /// - Returns: whether the caller now has it.
    public func tryLock(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        let site = SourceSite(file, line)
        try step(at: site)
        let own = try ThreadContext.runtime.with { runtime in
            let count = place.count.wrappingAdd(1, ordering: .relaxed).newValue
            let own = runtime.processNumber << Self.countBits | count & (1 << Self.countBits - 1)
            return try runtime.records.createLock(name, owner: own) ? own : nil
        }
        place.shown.record(own == nil ? .distributedLockBusy : .distributedLockAcquire, at: site)
        if let own { token.store(own, ordering: .releasing) }
        return own != nil
    }

    /// Releases the lock.
    ///
    /// - Throws: `Misuse` `unlock-not-owner`, if this object has not locked it; `Broken`, if another process broke it.
    public func unlock(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        // First the step: whether this object has the lock can depend on a step of another thread.
        try step(at: site)
        let own = token.exchange(0, ordering: .acquiring)
        guard own != 0 else { throw Misuse.recorded(.unlockNotOwner, at: site) }
        guard try ThreadContext.runtime.with({ try $0.records.removeLock(name, of: own) }) else { throw Broken() }
        place.shown.record(.distributedLockRelease, at: site)
    }

    /// Frees the lock, whichever process holds it. If the owner is alive, two processes will be inside.
    public func breakLock(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try step(at: site)
        try ThreadContext.runtime.with { _ = try $0.records.removeLock(name, of: nil) }
        place.shown.record(.distributedLockBreak, at: site)
    }

    /// The process that holds the lock at this moment. Nil: it is free.
    public func holder(file: StaticString = #fileID, line: UInt = #line) throws -> Holder? {
        try step(.load, at: SourceSite(file, line))
        return try ThreadContext.runtime.with { try $0.records.owner(ofLock: name) }.map(Holder.init)
    }

    /// What follows is one step on the file, by whichever object. A word with its name stands for it in the scheduler's
    /// reckoning.
    private func step(_ kind: Operation.Kind = .add, at site: SourceSite) throws {
        let runtime = ThreadContext.runtime
        let word = runtime.with { $0.sharedWord(named: "\(name) file") }
        _ = try runtime.perform(Operation(kind, word.id, 1), on: word, at: site)
    }
}

// MARK: - What it says of itself

extension Remark {
    fileprivate static let distributedLockAcquire = Remark(
        "distributed-lock.acquire", "lock {object}",
        says: "It created the lock's file")
    fileprivate static let distributedLockBusy = Remark(
        "distributed-lock.busy", "finds {object} taken",
        says: "It tried, and the file existed")
    fileprivate static let distributedLockRelease = Remark(
        "distributed-lock.release", "unlock {object}",
        says: "It removed the file")
    fileprivate static let distributedLockBreak = Remark(
        "distributed-lock.break", "break {object}",
        says: "It removed the file, whichever process had made it")
}
