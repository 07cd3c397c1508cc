// Code that uses the primitives also needs the errors that they throw and the attributes of threads.
@_exported import Execution
import Machine
import Trace

@_exported import struct Trace.Remark

/// A namespace for names that would otherwise hide the system's: types such as `Lab.NSLock` are threadlab's versions of
/// the system's types (module `ThreadLabTypes`), and `Lab.main` is the command line (module `ThreadLabCommandLine`).
public enum Lab {}

// MARK: - What a scenario states

/// Writes a note to the trace.
public func note(_ text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    ThreadContext.runtime.with { runtime in
        guard runtime.isRecording else { return }
        runtime.record(.note, 0, text: text(), at: SourceSite(file, line))
    }
}

/// States a condition that must be true here. Otherwise the run ends with the outcome `assertion`.
public func check(
    _ condition: Bool, _ message: @autoclosure () -> String = "what is checked here is false",
    file: StaticString = #fileID, line: UInt = #line
) throws {
    guard condition else { throw AssertionFailed(message(), at: SourceSite(file, line)) }
}

/// States the value that is right here. Otherwise the run ends with the outcome `assertion`, and its report shows both
/// values.
public func check<Value: Equatable>(
    _ value: Value, is expected: Value, _ message: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
) throws {
    guard value != expected else { return }
    throw AssertionFailed(comparison(value, "\(expected)", message()), at: SourceSite(file, line))
}

/// States the greatest value that is right here. Otherwise the run ends with the outcome `assertion`, and its report
/// shows both values.
public func check<Value: Comparable>(
    _ value: Value, isAtMost limit: Value, _ message: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
) throws {
    guard value > limit else { return }
    throw AssertionFailed(comparison(value, "at most \(limit)", message()), at: SourceSite(file, line))
}

/// States the least value that is right here. Otherwise the run ends with the outcome `assertion`, and its report shows
/// both values.
public func check<Value: Comparable>(
    _ value: Value, isAtLeast limit: Value, _ message: @autoclosure () -> String = "",
    file: StaticString = #fileID, line: UInt = #line
) throws {
    guard value < limit else { return }
    throw AssertionFailed(comparison(value, "at least \(limit)", message()), at: SourceSite(file, line))
}

/// For example `one of two additions was lost: the value is 1, and should be 2`.
private func comparison<Value>(_ value: Value, _ expected: String, _ message: String) -> String {
    (message.isEmpty ? "" : message + ": ") + "the value is \(value), and should be \(expected)"
}

/// Returns a number from 0 to `count` − 1. On real threads it is random. Under the scheduler it is a choice of the
/// schedule, so that a search tries every number.
///
/// - Throws: `Misuse` `invalid-value`, if the count is less than 1.
public func choose(_ count: Int, file: StaticString = #fileID, line: UInt = #line) throws -> Int {
    let site = SourceSite(file, line)
    guard count > 0 else { throw Misuse.recorded(.invalidValue, at: site) }
    return try ThreadContext.runtime.perform(Operation(.choose, 0, count), on: .none, at: site)
}

extension Misuse {
    /// Records a misuse that a primitive detects by itself, and returns it as the error to throw.
    static func recorded(_ kind: MisuseKind, at site: SourceSite) -> Misuse {
        ThreadContext.runtime.record(.misuse, 0, Int(kind.rawValue), at: site)
        return Misuse(kind, at: site)
    }

    package static func recorded(_ kind: MisuseKind, file: StaticString, line: UInt) -> Misuse {
        recorded(kind, at: SourceSite(file, line))
    }

    /// Records a misuse again before a primitive rethrows it. Between the two records the primitive has taken steps
    /// to clean up; without the second record, detectors would take these steps as a sign that the thread has caught
    /// the misuse.
    static func recordAgain(_ error: any Error) {
        guard let misuse = error as? Misuse else { return }
        _ = recorded(misuse.kind, at: misuse.site)
    }
}
