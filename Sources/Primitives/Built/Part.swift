import Execution
import Machine
import Text
import Trace

/// A base object inside a built primitive: a lock, a condition, a semaphore or an atomic. Traces show it only while a
/// thread is blocked on it, by the name of what the thread waits for, or of the built primitive.
///
/// Its operations have no default site, so that a built primitive cannot forget to pass its caller's line.
final class Part: Sendable {
    let handle: Handle

    init(_ kind: ObjectState.Kind, _ name: String, at site: SourceSite) {
        handle = Handle(kind, shownAs: .part, name, at: site)
    }

    /// The lock that protects a built object. The program does not see it.
    ///
    /// - Parameter object: the built object as traces show it. Nil: they show none, and the lock has its own name.
    convenience init(lockOf owner: String, _ object: RuntimeObject? = nil, at site: SourceSite) {
        self.init(.normalMutex, "\(owner.possessive) lock", at: site)
        belong(to: object ?? handle.object)
    }

    /// A condition on which threads wait for the built object as a whole. Traces show such a wait by the name of the
    /// built object.
    convenience init(conditionOf owner: String, _ object: RuntimeObject, at site: SourceSite) {
        self.init(.condition, "\(owner.possessive) condition", at: site)
        belong(to: object)
    }

    /// Makes it a part of this object, which the program sees.
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

    /// Releases the lock, which the caller holds, and waits until a signal or the deadline.
    ///
    /// - Returns: false if the deadline passed before a signal came.
    func wait(with lock: Part, until deadline: Instant = .distantFuture, at site: SourceSite) throws -> Bool {
        try handle.wait(with: lock.handle, until: deadline, at: site)
    }

    func signal(at site: SourceSite) throws { try handle.perform(.signal, at: site) }
    func broadcast(at site: SourceSite) throws { try handle.perform(.broadcast, at: site) }
}

/// State of a built primitive that is accessed only while its lock is held. The primitive does the locking, so accesses
/// are not checked for exclusivity, unlike those of a class's variable.
final class Guarded<Value>: @unchecked Sendable {
    private let memory: Owned<Value>

    init(_ value: Value) { memory = Owned(value) }

    var value: Value {
        @inline(__always) unsafeAddress { UnsafePointer(memory.pointer) }
        @inline(__always) unsafeMutableAddress { memory.pointer }
    }
}
