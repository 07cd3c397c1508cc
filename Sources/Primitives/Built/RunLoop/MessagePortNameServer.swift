import Execution
import Trace

/// The names under which threads find each other's ports (guide: Creating Port-Based Input Sources; Foundation's
/// `MessagePortNameServer`). Built on a mutex and a condition.
public final class MessagePortNameServer: Sendable {
    private let gate: Part
    private let changed: Part
    /// Accessed only while `gate` is held.
    private let ports = Guarded<[String: Port]>([:])

    public init(_ name: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        let site = SourceSite(file, line)
        gate = Part(lockOf: name ?? "port names", at: site)
        changed = Part(.condition, name ?? "port names", at: site)
    }

    /// Gives the port this name.
    ///
    /// - Returns: false if another port has it.
    public func register(
        _ port: Port, as name: String, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Bool {
        let site = SourceSite(file, line)
        return try gate.withLock(at: site) {
            guard ports.value[name] == nil else { return false }
            ports.value[name] = port
            try changed.broadcast(at: site)
            return true
        }
    }

    /// Frees the name. Its port stays as it is.
    public func remove(_ name: String, file: StaticString = #fileID, line: UInt = #line) throws {
        // Perhaps the last reference to the port: it is released without the lock, which its receiver may need.
        _ = try gate.withLock(at: SourceSite(file, line)) { ports.value.removeValue(forKey: name) }
    }

    /// The port with this name: waits until there is one, until the deadline at the latest. By default it does not
    /// wait.
    ///
    /// - Returns: nil if there is none.
    public func port(
        named name: String, until deadline: Instant = .distantPast, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Port? {
        let site = SourceSite(file, line)
        return try gate.withLock(at: site) {
            while ports.value[name] == nil && deadline != .distantPast {
                guard try changed.wait(with: gate, until: deadline, at: site) else { break }
            }
            return ports.value[name]
        }
    }
}
