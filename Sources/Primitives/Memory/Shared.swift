import Execution
import Machine
import Trace

/// Plain memory that threads share, with no synchronisation of its own: each access is a step, and two accesses of different
/// threads, one of them a write, are a race unless something orders them.
///
/// On real threads this is an ordinary Swift variable, so that ThreadSanitizer and Helgrind see what they would see. Keep
/// values in it that a race cannot tear into something unsafe: numbers, not arrays.
public final class Shared<Value: Sendable>: @unchecked Sendable {
    private let handle: Handle
    private var storage: Value

    /// - Parameter name: what traces call it. Made unique within the run.
    public init(_ name: String? = nil, _ value: Value, file: StaticString = #fileID, line: UInt = #line) {
        storage = value
        handle = Handle(.cell, shownAs: .cell, name, value: Self.word(of: value), at: SourceSite(file, line))
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

    /// A read and a write: two steps, and another thread's may come between them. `count = count + 1` is this.
    public func update(
        file: StaticString = #fileID, line: UInt = #line, _ change: (Value) throws -> Value
    ) throws {
        try write(change(read(file: file, line: line)), file: file, line: line)
    }

    /// What the trace shows: the value if it is a word; of a collection, nothing.
    private static func word(of value: Value) -> Int {
        (value as? any Word)?.word ?? Int(Event.noNumber)
    }
}
