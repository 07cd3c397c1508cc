import Execution
import Trace

/// A variable whose getter and setter are each indivisible, whatever the size of its value (Objective-C `atomic`).
///
/// A get and a set together are not: another thread may set the property in between.
public final class AtomicProperty<Value: Sendable>: Sendable {
    private let storage: Shared<Value>
    private let locks: StripedLocks
    private let address: Int

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - locks: the locks that the property shares with others.
    ///   - address: a number in place of the variable's address. It determines the lock that protects the property.
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
        // As in objc4, the old value is released after the lock, because its deinitializer may need the lock.
        _ = try locks.withLock(of: address, file: file, line: line) {
            try storage.exchange(value, at: SourceSite(file, line))
        }
    }
}

/// A few spin locks for many variables: each variable's address chooses the lock that protects it (old versions of
/// objc4: 128 spin locks for all atomic properties).
///
/// Two variables that share a lock exclude each other although they have nothing in common.
public final class StripedLocks: Sendable {
    private let locks: [SpinLock]

    /// - Parameters:
    ///   - name: the beginning of the locks' names in traces.
    ///   - count: the number of locks.
    /// - Throws: `Misuse` `invalid-value`, if the count is not positive.
    public init(_ name: String? = nil, count: Int = 128, file: StaticString = #fileID, line: UInt = #line) throws {
        guard count > 0 else { throw Misuse.recorded(.invalidValue, at: SourceSite(file, line)) }
        locks = (0..<count).map { SpinLock("\(name ?? "stripe") \($0)", file: file, line: line) }
    }

    public var count: Int { locks.count }

    /// The number of the lock that protects the variable at this address.
    public func stripe(of address: Int) -> Int { Int(UInt(bitPattern: address) % UInt(locks.count)) }

    /// Runs the body with the lock of this address held, and releases it on every return path.
    public func withLock<Result>(
        of address: Int, file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) throws -> Result {
        try locks[stripe(of: address)].withLock(file: file, line: line, body)
    }
}
