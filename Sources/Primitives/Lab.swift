// Code that uses the primitives also needs the errors that they throw and the attributes of threads.
@_exported import Execution
import Machine
import Trace

@_exported import struct Trace.Remark

/// What has the system's names in a lab: `Lab.main` is the command line (module `ThreadLab`), `Lab.NSLock` and its
/// neighbors replace the system's types (module `ThreadLabTypes`).
public enum Lab {}

// MARK: - What a scenario states

/// Writes a note to the trace.
public func note(_ text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line) {
    ThreadContext.runtime.with { runtime in
        guard runtime.isRecording else { return }
        runtime.record(.note, 0, text: text(), at: SourceSite(file, line))
    }
}

/// States what must be true here. Otherwise the run ends with the outcome `assertion`.
public func check(
    _ condition: Bool, _ message: @autoclosure () -> String = "what is checked here is false",
    file: StaticString = #fileID, line: UInt = #line
) throws {
    guard condition else { throw AssertionFailed(message(), at: SourceSite(file, line)) }
}

/// A number from 0 to `count` − 1 that the scenario leaves open: random on real threads, one choice of the schedule
/// when controlled, so that exploration tries every one.
public func choose(_ count: Int, file: StaticString = #fileID, line: UInt = #line) throws -> Int {
    let site = SourceSite(file, line)
    guard count > 0 else { throw Misuse.recorded(.invalidValue, at: site) }
    return try ThreadContext.runtime.perform(Operation(.choose, 0, count), on: .none, at: site)
}

extension Misuse {
    /// A misuse that the primitive detects by itself, before it calls the runtime.
    static func recorded(_ kind: MisuseKind, at site: SourceSite) -> Misuse {
        ThreadContext.runtime.record(.misuse, 0, Int(kind.rawValue), at: site)
        return Misuse(kind, at: site)
    }

    /// An error passes through a primitive that has taken steps to clean up. Detectors would otherwise conclude from
    /// them that the thread has caught the misuse.
    static func recordAgain(_ error: any Error) {
        guard let misuse = error as? Misuse else { return }
        _ = recorded(misuse.kind, at: misuse.site)
    }
}
