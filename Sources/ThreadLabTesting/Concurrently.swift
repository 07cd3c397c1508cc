import Primitives

/// Runs the closures at the same time, each on its own thread, and waits until all have ended. In reports the threads
/// are called `first`, `second`, and so on.
///
/// ```swift
/// try explore {
///     let stack = Stack([1])
///     let (a, b) = try concurrently { stack.pop() } and: { stack.pop() }
///     try check((a == 1) != (b == 1))
/// }
/// ```
///
/// Call it inside the closure of `explore`, `replay` or `run`. If one of the closures throws an error, the run ends.
///
/// - Returns: the values of the closures.
@discardableResult
public func concurrently<First: Sendable, Second: Sendable>(
    _ first: @escaping @Sendable () throws -> First, and second: @escaping @Sendable () throws -> Second,
    file: StaticString = #fileID, line: UInt = #line
) throws -> (First, Second) {
    let first = try Runner("first", file, line, first)
    let second = try Runner("second", file, line, second)
    return (try first.join(), try second.join())
}

/// Runs three closures in the same way.
@discardableResult
public func concurrently<First: Sendable, Second: Sendable, Third: Sendable>(
    _ first: @escaping @Sendable () throws -> First, and second: @escaping @Sendable () throws -> Second,
    and third: @escaping @Sendable () throws -> Third, file: StaticString = #fileID, line: UInt = #line
) throws -> (First, Second, Third) {
    let first = try Runner("first", file, line, first)
    let second = try Runner("second", file, line, second)
    let third = try Runner("third", file, line, third)
    return (try first.join(), try second.join(), try third.join())
}

/// Runs any number of closures in the same way. Each gets its number, from 0, and the threads are called `thread 0`,
/// `thread 1`, …
///
/// - Returns: the values of the closures, in the order of their numbers.
@discardableResult
public func concurrently<Value: Sendable>(
    _ count: Int, file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (Int) throws -> Value
) throws -> [Value] {
    let runners = try (0..<max(0, count)).map { number in
        try Runner("thread \(number)", file, line) { try body(number) }
    }
    return try runners.map { try $0.join() }
}

/// A thread whose closure returns a value.
private struct Runner<Value: Sendable> {
    private let thread: Thread
    private let value: Box
    private let file: StaticString
    private let line: UInt

    /// Written by the thread before it ends, and read by the thread that has joined it.
    private final class Box: @unchecked Sendable {
        var value: Value?
    }

    init(
        _ name: String, _ file: StaticString, _ line: UInt, _ body: @escaping @Sendable () throws -> Value
    ) throws {
        let box = Box()
        thread = try Thread(name, file: file, line: line) { box.value = try body() }
        value = box
        self.file = file
        self.line = line
    }

    func join() throws -> Value {
        try thread.join(file: file, line: line)
        guard let value = value.value else { throw TestingError("a closure that has left its thread has no value") }
        return value
    }
}
