import Execution
import Trace

/// A recursive lock for each object that is used as a token (guide: Using the @synchronized Directive).
///
/// A token's lock is made when it is first used. The table keeps its tokens, so no two of them are ever confused.
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

    /// Runs the body while no other thread runs one with the same token, and lets the next one in on every return path,
    /// by an error too.
    ///
    /// The body may do so again with the same token. Bodies with different tokens do not exclude each other.
    ///
    /// - Parameters:
    ///   - token: any object: only its identity matters. Nil protects nothing: the body simply runs.
    ///   - name: the name of the token's lock in traces, if it is made now.
    public func synchronized<Result>(
        _ token: AnyObject?, _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
        _ body: () throws -> Result
    ) throws -> Result {
        guard let token else { return try body() }
        return try lock(of: token, name, SourceSite(file, line)).withLock(file: file, line: line, body)
    }

    /// The same for a function that is passed by name: `locks.synchronized(account, deposit)`.
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
