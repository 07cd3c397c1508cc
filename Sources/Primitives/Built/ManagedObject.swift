import Execution
import Machine
import Trace

/// An object that lives as long as it has references, which are counted (guide: Thread Safety Summary; the article
/// Thread-Safe Class Design, The Deallocation Problem).
///
/// It is made with one reference. The thread that releases the last one runs `atEnd`. After that every use is a misuse.
/// An object that still has references at the end of the run is a leak.
public final class ManagedObject: Sendable {
    private let handle: Handle
    private let atEnd: @Sendable () throws -> Void

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - atEnd: runs on the thread that releases the last reference (Objective-C `dealloc`).
    public init(
        _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
        atEnd: @escaping @Sendable () throws -> Void = {}
    ) {
        handle = Handle(.counted, shownAs: .managedObject, name, value: 1, at: SourceSite(file, line))
        self.atEnd = atEnd
    }

    deinit { handle.discard() }

    /// Adds a reference: one step.
    ///
    /// - Throws: `Misuse` `used-after-release`.
    public func retain(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        if try handle.perform(.add, 1, at: site) <= 0 { throw Misuse.recorded(.usedAfterRelease, at: site) }
    }

    /// Adds a reference if there is one left, as a weak reference does.
    ///
    /// - Returns: whether the caller now has a reference.
    public func retainIfAlive(file: StaticString = #fileID, line: UInt = #line) throws -> Bool {
        let site = SourceSite(file, line)
        var count = try handle.perform(.load, at: site)
        while count > 0 {
            let found = try handle.perform(.compareExchange, count, count + 1, at: site)
            if found == count { return true }
            count = found
        }
        return false
    }

    /// Releases a reference: one step. If it was the last one, the object ends, on the calling thread.
    ///
    /// - Throws: `Misuse` `released-twice`, or the error of `atEnd`.
    public func release(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        let before = try handle.perform(.add, -1, at: site)
        if before <= 0 { throw Misuse.recorded(.releasedTwice, at: site) }
        guard before == 1 else { return }
        handle.record(.objectEnd, at: site)
        try atEnd()
    }

    /// Releases a reference later, by the calling thread's innermost pool. Without a pool, it is never released.
    public func autorelease(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        handle.record(.objectAutorelease, at: site)
        AutoreleasePools.current?.add(self)
    }

    /// Uses the object: one step.
    ///
    /// - Throws: `Misuse` `used-after-release`.
    public func use(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        if try handle.perform(.load, at: site) <= 0 { throw Misuse.recorded(.usedAfterRelease, at: site) }
    }
}

// MARK: - Its remarks in traces

extension Remark {
    fileprivate static let objectAutorelease = Remark(
        "object.autorelease", "leave {object} to the pool",
        says: "The innermost pool of the thread will release the object")
    fileprivate static let objectEnd = Remark(
        "object.end", "end of {object}",
        says: "The thread has released the last reference to the object, which ends on this thread")
}

/// Runs the body with a pool of its own. On every return path, it then releases what the body has added to the pool,
/// last in, first out (guide: Creating an Autorelease Pool).
///
/// If the body or an object's `atEnd` throws, the other objects are still released, and the first error is rethrown.
///
/// Each thread has its own stack of pools, initially empty.
public func withAutoreleasePool<Result>(
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
) throws -> Result {
    let pools = AutoreleasePools.ofThread
    pools.push()
    let result: Result
    do { result = try body() } catch {
        // The body's error is closer to the cause than an error from a release.
        try? pools.drain(file, line)
        Misuse.recordAgain(error)
        throw error
    }
    try pools.drain(file, line)
    return result
}

/// A thread's pools, the innermost last.
final class AutoreleasePools: @unchecked Sendable {
    private var pools: [[ManagedObject]] = []

    /// The calling thread's pools, if it has any.
    static var current: AutoreleasePools? {
        let runtime = ThreadContext.runtime.counted
        return runtime.slotValue(runtime.knownSlot(.autoreleasePools)).map {
            unsafeDowncast($0, to: AutoreleasePools.self)
        }
    }

    /// The calling thread's pools, made at the first use.
    static var ofThread: AutoreleasePools {
        if let current { return current }
        let runtime = ThreadContext.runtime.counted
        let new = AutoreleasePools()
        runtime.setSlotValue(runtime.knownSlot(.autoreleasePools), new)
        return new
    }

    func push() { pools.append([]) }

    /// Adds the object to the innermost pool. Without a pool it is never released.
    func add(_ object: ManagedObject) {
        if !pools.isEmpty { pools[pools.count - 1].append(object) }
    }

    func drain(_ file: StaticString, _ line: UInt) throws {
        defer { pools.removeLast() }
        var first: (any Error)?
        // Objects that `atEnd` adds to the pool are released too.
        while let object = pools[pools.count - 1].popLast() {
            do { try object.release(file: file, line: line) } catch {
                // The run has ended: the objects that are left are not released.
                if error is RunEnded { throw error }
                first = first ?? error
            }
        }
        guard let first else { return }
        Misuse.recordAgain(first)
        throw first
    }
}
