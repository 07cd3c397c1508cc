import Trace

/// A quantity that a scenario measures while it runs: the length of a queue, memory in use, the duration of a call.
/// Readings are part of the trace, and reports draw them below it.
///
/// A reading is not a step: under the scheduler it lets no other thread run. There time passes only in waits, so
/// durations are meaningful on real threads only.
public final class Meter: Sendable {
    private let handle: Handle

    /// - Parameter name: the name of the quantity in reports: `queue length`.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) {
        handle = Handle(.other, shownAs: .meter, name, at: SourceSite(file, line))
    }

    /// Records a count.
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

    /// Runs the body, and records its duration.
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
