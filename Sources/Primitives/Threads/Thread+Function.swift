import Execution
import Trace

/// Overloads that take the body of a thread as a function passed by name, such as `Thread("adder", add)`. Without them,
/// Swift would match the function to a parameter with a default value, such as the attributes. They are disfavored, so
/// that the compiler reports an error in a trailing closure once, and not for each overload.
extension Thread {
    /// Starts a thread that runs this function: `try Thread("adder", add)`.
    @_disfavoredOverload
    public convenience init(
        _ name: String?, file: StaticString = #fileID, line: UInt = #line,
        _ function: consuming @escaping @Sendable () throws -> Void
    ) throws {
        try self.init(name, at: SourceSite(file, line), .plain(consume function))
    }

    /// Starts a thread that runs this function: `try Thread(add)`.
    @_disfavoredOverload
    public convenience init(
        _ function: consuming @escaping @Sendable () throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try self.init(nil, at: SourceSite(file, line), .plain(consume function))
    }

    /// Starts a thread that runs this function and returns its value to the thread that joins it.
    @_disfavoredOverload
    public static func returning(
        _ name: String?, file: StaticString = #fileID, line: UInt = #line,
        _ function: @escaping @Sendable () throws -> Int
    ) throws -> Thread {
        try Thread(name, at: SourceSite(file, line), .returning(function))
    }

    /// Starts a thread that runs this function and returns its value to the thread that joins it.
    @_disfavoredOverload
    public static func returning(
        _ function: @escaping @Sendable () throws -> Int, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Thread {
        try Thread(nil, at: SourceSite(file, line), .returning(function))
    }

    /// Starts a thread that runs this function, cannot be joined, and ends with the process.
    @_disfavoredOverload
    public static func detach(
        _ function: @escaping @Sendable () throws -> Void, file: StaticString = #fileID, line: UInt = #line
    ) throws {
        try detach(nil, file: file, line: line, function)
    }
}

extension ThreadObject {
    /// Describes a thread that runs this function and passes it this object.
    @_disfavoredOverload
    public convenience init(
        _ name: String?, file: StaticString = #fileID, line: UInt = #line,
        _ function: @escaping @Sendable (ThreadObject) throws -> Value
    ) {
        self.init(name, ThreadAttributes(), file: file, line: line, function)
    }

    /// Describes a thread that runs this function and passes it this object.
    @_disfavoredOverload
    public convenience init(
        _ function: @escaping @Sendable (ThreadObject) throws -> Value, file: StaticString = #fileID,
        line: UInt = #line
    ) {
        self.init(nil, ThreadAttributes(), file: file, line: line, function)
    }

    /// Describes a thread that runs this function.
    @_disfavoredOverload
    public convenience init(
        _ name: String?, file: StaticString = #fileID, line: UInt = #line,
        _ function: @escaping @Sendable () throws -> Value
    ) {
        self.init(name, ThreadAttributes(), file: file, line: line, function)
    }

    /// Describes a thread that runs this function.
    @_disfavoredOverload
    public convenience init(
        _ function: @escaping @Sendable () throws -> Value, file: StaticString = #fileID, line: UInt = #line
    ) {
        self.init(nil, ThreadAttributes(), file: file, line: line, function)
    }
}
