import Execution
import Machine
import Trace

/// An object that lives as long as it has references, which are counted (guide: Thread Safety Summary; the article's
/// deallocation problem).
///
/// It is made with one reference. The thread that releases the last one runs what the object does at its end. After that
/// every use is a misuse; an object that still has references when the run has ended is a leak.
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

    /// Gives a reference up: one step. If it was the last one, the object ends, on the calling thread.
    ///
    /// - Throws: `Misuse` `released-twice`; what the object throws at its end.
    public func release(file: StaticString = #fileID, line: UInt = #line) throws {
        let site = SourceSite(file, line)
        let before = try handle.perform(.add, -1, at: site)
        if before <= 0 { throw Misuse.recorded(.releasedTwice, at: site) }
        guard before == 1 else { return }
        handle.record(.objectEnd, at: site)
        try atEnd()
    }

    /// Gives a reference up later: the calling thread's innermost pool releases it. Without a pool, none does.
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

// MARK: - What it says of itself

extension Remark {
    fileprivate static let objectAutorelease = Remark(
        "object.autorelease", "leave {object} to the pool",
        says: "The innermost pool of the thread will release the object")
    fileprivate static let objectEnd = Remark(
        "object.end", "end of {object}",
        says: "The thread has released the last reference to the object, which ends on this thread")
}
