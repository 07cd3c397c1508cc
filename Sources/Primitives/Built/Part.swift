import Execution
import Machine
import Text
import Trace

/// A lock or condition inside a built primitive. Traces show it only when a thread is blocked on it: by its name, which
/// says what the thread waits for, or by that of the object whose inside it is.
///
/// Its operations have no default site: a built primitive cannot forget to pass on the line of its caller.
final class Part: Sendable {
    let handle: Handle

    init(_ kind: ObjectState.Kind, _ name: String, at site: SourceSite) {
        handle = Handle(kind, shownAs: .part, name, at: site)
    }

    /// The lock that protects an object, of which the program does not know.
    ///
    /// - Parameter object: the number by which traces know the object. Nil: it has none.
    convenience init(lockOf owner: String, _ object: RuntimeObject? = nil, at site: SourceSite) {
        self.init(.normalMutex, "\(owner.possessive) lock", at: site)
        belong(to: object ?? handle.object)
    }

    /// The condition of an object in which threads wait for the object itself.
    convenience init(conditionOf owner: String, _ object: RuntimeObject, at site: SourceSite) {
        self.init(.condition, "\(owner.possessive) condition", at: site)
        belong(to: object)
    }

    /// Makes it part of what the program knows as this object.
    func belong(to object: RuntimeObject) {
        let part = handle.object
        handle.with { $0.declarePart(part, of: object) }
    }

    deinit { handle.discard() }

    // MARK: - A lock

    func lock(at site: SourceSite) throws { try handle.perform(.lock, at: site) }
    func tryLock(at site: SourceSite) throws -> Bool { try handle.perform(.tryLock, at: site) != 0 }
    func unlock(at site: SourceSite) throws { try handle.perform(.unlock, at: site) }

    func withLock<Result>(at site: SourceSite, _ body: () throws -> Result) throws -> Result {
        try holding({ try lock(at: site) }, { try unlock(at: site) }, body)
    }

    // MARK: - A condition

    /// Releases the lock, which the caller holds, until a signal comes or the deadline has passed.
    ///
    /// - Returns: false if the deadline passed before a signal came.
    func wait(with lock: Part, until deadline: Instant = .distantFuture, at site: SourceSite) throws -> Bool {
        try handle.wait(with: lock.handle, until: deadline, at: site)
    }

    func signal(at site: SourceSite) throws { try handle.perform(.signal, at: site) }
    func broadcast(at site: SourceSite) throws { try handle.perform(.broadcast, at: site) }
}

/// State of a built primitive that only the holder of its lock accesses. The primitive is responsible for the locking,
/// so an access is not checked for being exclusive, as one to a variable of a class would be.
final class Guarded<Value>: @unchecked Sendable {
    private let memory: Owned<Value>

    init(_ value: Value) { memory = Owned(value) }

    var value: Value {
        @inline(__always) unsafeAddress { UnsafePointer(memory.pointer) }
        @inline(__always) unsafeMutableAddress { memory.pointer }
    }
}
