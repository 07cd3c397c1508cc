import Execution
import Trace

/// A variable whose getter and setter are each indivisible, whatever the size of its value (Objective-C `atomic`).
///
/// Nothing else is: between a call of the getter and the next call another thread may set the property.
public final class AtomicProperty<Value: Sendable>: Sendable {
    private let storage: Shared<Value>
    private let locks: StripedLocks
    private let address: Int

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - locks: the locks that it shares with other properties.
    ///   - address: stands for the address of the variable, and decides which of the locks protects it.
    public init(
        _ name: String? = nil, _ value: Value, in locks: StripedLocks, address: Int, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        storage = Shared(name, value, file: file, line: line)
        self.locks = locks
        self.address = address
    }

    /// The getter.
    public func get(file: StaticString = #fileID, line: UInt = #line) throws -> Value {
        try locks.withLock(of: address, file: file, line: line) { try storage.read(file: file, line: line) }
    }

    /// The setter.
    public func set(_ value: Value, file: StaticString = #fileID, line: UInt = #line) throws {
        // As objc4 does: the old value is released without the lock, which its end may need.
        _ = try locks.withLock(of: address, file: file, line: line) {
            try storage.exchange(value, at: SourceSite(file, line))
        }
    }
}
