import Execution
import Trace

/// A recursive lock for each object that is used as a token (guide: Using the @synchronized Directive).
///
/// A token's lock is made at the token's first use. The table keeps its tokens alive, so that no two tokens have the
/// same address.
public final class TokenLocks: Sendable {
    private let gate: Part
    /// Accessed with `gate` held.
    private let entries = Guarded<[ObjectIdentifier: Entry]>([:])

    private struct Entry {
        let token: AnyObject
        let lock: Mutex
    }

    public init(file: StaticString = #fileID, line: UInt = #line) {
        gate = Part(lockOf: "token locks", at: SourceSite(file, line))
    }

    /// Runs the body while no other thread runs one with the same token. The token's lock is released on every return
    /// path.
    ///
    /// Bodies may be nested with the same token. Bodies with different tokens do not exclude each other.
    ///
    /// - Parameters:
    ///   - token: any object; only its identity matters. With nil the body runs without a lock.
    ///   - name: the name in traces of the token's lock, if this call makes it.
    public func synchronized<Result>(
        _ token: AnyObject?, _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ body: () throws -> Result
    ) throws -> Result {
        guard let token else { return try body() }
        return try lock(of: token, name, SourceSite(file, line)).withLock(file: file, line: line, body)
    }

    /// A version for a function that is passed by name: `locks.synchronized(account, deposit)`.
    @_disfavoredOverload
    public func synchronized<Result>(
        _ token: AnyObject?, file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try synchronized(token, nil, file: file, line: line, body)
    }

    private func lock(of token: AnyObject, _ name: String?, _ site: SourceSite) throws -> Mutex {
        try gate.withLock(at: site) {
            let key = ObjectIdentifier(token)
            if let present = entries.value[key] { return present.lock }
            let lock = Mutex(recursiveNamed: name ?? "token lock", at: site)
            entries.value[key] = Entry(token: token, lock: lock)
            return lock
        }
    }
}
