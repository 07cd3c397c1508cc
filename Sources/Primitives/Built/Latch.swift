import Execution
import Recipes
import Trace

/// A gate that is closed until it has been counted down the given number of times, and open forever after (C++
/// `std::latch`, Java `CountDownLatch`).
///
/// Any thread may count down, any number of times, without waiting.
public final class Latch: Sendable {
    private let object: BuiltObject
    private static let countDown = Recipe.latch.method("countDown").operation
    private static let wait = Recipe.latch.method("wait").operation

    /// - Parameters:
    ///   - name: its name in traces, made unique within the run.
    ///   - count: the number of times it has to be counted down. With 0 it is open.
    /// - Throws: `Misuse` `invalid-value`, if the count is negative.
    public init(_ name: String? = nil, count: Int, file: StaticString = #fileID, line: UInt = #line) throws {
        object = try BuiltObject(.latch, name, number: count, at: SourceSite(file, line))
    }

    /// Counts down by one, and never waits. The last count lets all waiting threads continue. Does nothing on an open
    /// latch.
    public func countDown(file: StaticString = #fileID, line: UInt = #line) throws {
        try object.perform(Self.countDown, at: SourceSite(file, line))
    }

    /// Waits until the latch is open.
    public func wait(file: StaticString = #fileID, line: UInt = #line) throws {
        try object.perform(Self.wait, at: SourceSite(file, line))
    }
}
