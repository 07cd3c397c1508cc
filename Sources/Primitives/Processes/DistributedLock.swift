import Execution
import Machine
import Synchronization
import Trace

/// A lock between processes: a file that exists while the lock is held (guide: Using an NSDistributedLock Object;
/// Foundation's `NSDistributedLock`).
///
/// It cannot be waited for, only tried. If its owner ends without unlocking it, the file remains, and the lock is held
/// until a process breaks it. On real threads it is a real file in the run's scratch directory; under the scheduler it
/// is a model.
public final class DistributedLock: Sendable {
    private let place: Place
    private let name: String
    /// The content of the file while this object holds the lock: see `Holder.token`. 0: the object does not hold it.
    private let token = Synchronization.Atomic(0)

    /// The lock file: one of these for all objects that name it through `init(sameFileAs:)`.
    private final class Place: Sendable {
        /// The file as traces show it.
        let shown: Handle
        /// The number of attempts to lock it by objects in this process. It makes successive tokens different.
        let count = Synchronization.Atomic(0)

        init(_ name: String, at site: SourceSite) {
            shown = Handle(.other, shownAs: .distributedLock, name, at: site)
        }

        deinit { shown.discard() }
    }

    /// The holder of a lock.
    public struct Holder: Equatable, Sendable {
        /// The content of the file: the number of the process that locked it, and in the lowest `countBits` bits the
        /// number of the attempt.
        package let token: Int

        /// Whether the process that locked it still runs on this machine. The file contains the process's number, which
        /// is meaningless on another machine that shares the file system. The answer can be outdated at once, and after
        /// a long time another process may have the same number.
        public func isAlive() throws -> Bool {
            let number = token >> DistributedLock.countBits
            let runtime = ThreadContext.runtime
            if let system = runtime.with({ $0.system }) { return system.isProcessAlive(number) }
            // Under the scheduler the number of a process is that of an atomic, which becomes 1 when the process ends.
            // The number 0 is the scenario itself.
            let hasEnded = Operation(.load, UInt32(number))
            return try number == 0 || runtime.perform(hasEnded, on: .none, at: .unknown) == 0
        }
    }

    /// The lock was broken while this object held it: another process may have changed the protected data.
    public struct Broken: Error, CustomStringConvertible {
        public let description = "the lock was broken while it was held"
    }

    /// The number of bits of a token that number the attempt.
    private static let countBits = 16

    /// - Parameter name: the name of its file, also in traces.
    /// - Throws: `FileFailed`, if the name cannot be a file's: it is empty, too long, or a path.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) throws {
        try FileName.check(name)
        self.name = name
        place = Place(name, at: SourceSite(file, line))
    }

    /// Another object for the same file, such as one in another process.
    public init(sameFileAs other: DistributedLock) {
        name = other.name
        place = other.place
    }

    /// Acquires the lock if it is free: no object in any process holds it.
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
        // The step comes first, because whether this object holds the lock can depend on another thread's step.
        try step(at: site)
        let own = token.exchange(0, ordering: .acquiring)
        guard own != 0 else { throw Misuse.recorded(.unlockNotOwner, at: site) }
        guard try ThreadContext.runtime.with({ try $0.records.removeLock(name, of: own) }) else { throw Broken() }
        place.shown.record(.distributedLockRelease, at: site)
    }

    /// Frees the lock, whichever process holds it. If the owner is alive, two processes can then be in the critical
    /// section.
    public func breakLock(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        try step(at: site)
        try ThreadContext.runtime.with { _ = try $0.records.removeLock(name, of: nil) }
        place.shown.record(.distributedLockBreak, at: site)
    }

    /// The process that currently holds the lock. Nil: the lock is free.
    public func holder(file: StaticString = #fileID, line: UInt = #line) throws -> Holder? {
        try step(.load, at: SourceSite(file, line))
        return try ThreadContext.runtime.with { try $0.records.owner(ofLock: name) }.map(Holder.init)
    }

    /// Takes a step on the file: `add` stands for a change, `load` for reading. For the scheduler the file is one
    /// atomic, which all objects with its name share.
    private func step(_ kind: Operation.Kind = .add, at site: SourceSite) throws {
        let runtime = ThreadContext.runtime
        let word = runtime.with { $0.sharedWord(named: "\(name) file") }
        _ = try runtime.perform(Operation(kind, word.id, 1), on: word, at: site)
    }
}

// MARK: - Its remarks in traces

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
