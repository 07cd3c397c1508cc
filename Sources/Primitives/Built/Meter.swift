import Trace

/// A quantity that a scenario measures while it runs: the length of a queue, memory in use, the time that something
/// took. Readings are part of the trace; reports draw them below it.
///
/// A reading is not a step: under the scheduler no other thread runs because of it. There time passes only in waits, so
/// that times have a meaning on real threads alone.
public final class Meter: Sendable {
    private let handle: Handle

    /// - Parameter name: what it measures, as reports call it: `queue length`.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        handle = Handle(.other, shownAs: .meter, name, at: SourceSite(file, line))
    }

    /// Records a number of things.
    public func record(_ count: Int, file: StaticString = #fileID, line: UInt = #line) {
        handle.record(.meterCount, count, at: SourceSite(file, line))
    }

    /// Records an amount of memory.
    public func record(bytes: Int, file: StaticString = #fileID, line: UInt = #line) {
        handle.record(.meterBytes, bytes, at: SourceSite(file, line))
    }

    /// Records a duration.
    public func record(_ time: Duration, file: StaticString = #fileID, line: UInt = #line) {
        handle.record(.meterTime, time.wholeNanoseconds, at: SourceSite(file, line))
    }

    /// Runs the body, and records how long it took.
    @discardableResult
    public func time<Result>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Result
    ) rethrows -> Result {
        let start = Instant.now
        let result = try body()
        record(Instant.now - start, file: file, line: line)
        return result
    }
}
