import Execution
import Machine
import Trace

/// Plain memory that threads share, without synchronization. Each access is a step. Two accesses by different threads,
/// at least one of them a write, are a race unless something orders them.
///
/// On real threads this is an ordinary Swift variable, so that ThreadSanitizer and Helgrind see ordinary accesses.
/// Store only values that remain safe if a race tears them: numbers, not arrays.
public final class Shared<Value: Sendable>: @unchecked Sendable {
    private let handle: Handle
    /// The value itself. The scheduler's cell only has its word.
    private var storage: Value

    /// - Parameter name: its name in traces, made unique within the run.
    public init(_ name: String? = nil, _ value: Value, file: StaticString = #fileID, line: UInt = #line) {
        storage = value
        handle = Handle(
            .cell, shownAs: .cell(of: Value.self), name, value: Self.word(of: value), at: SourceSite(file, line))
    }

    /// One read: one step.
    public func read(file: StaticString = #fileID, line: UInt = #line) throws -> Value {
        try handle.perform(.read, at: SourceSite(file, line))
        return storage
    }

    /// One write: one step.
    public func write(_ value: Value, file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.write, Self.word(of: value), at: SourceSite(file, line))
        storage = value
    }

    /// A write, for built primitives.
    ///
    /// - Returns: the old value, for the caller to release. The trace does not show that it was read.
    func exchange(_ value: Value, at site: SourceSite) throws -> Value {
        try handle.perform(.write, Self.word(of: value), at: site)
        defer { storage = value }
        return storage
    }

    /// A read and a write: two steps, between which another thread can step, as in `count = count + 1`.
    public func update(
        file: StaticString = #fileID, line: UInt = #line, _ change: (Value) throws -> Value
    ) throws {
        try write(change(read(file: file, line: line)), file: file, line: line)
    }

    /// The value as the scheduler holds it and traces show it. `Event.noNumber` if it is not a `Word`.
    private static func word(of value: Value) -> Int {
        (value as? any Word)?.word ?? Int(Event.noNumber)
    }
}
