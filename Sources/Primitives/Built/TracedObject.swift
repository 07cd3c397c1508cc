import Execution
import Trace

/// Shows an object of the program in traces: gives a type that is built from primitives a name, and events of its own,
/// as run loops and queues have them.
///
///     extension Remark {
///         static let doorEntered = Remark("door.enter", "come through {object}")
///     }
///
///     final class Door: Sendable {
///         private let shown = TracedObject("door")
///         private let guests = Atomic("guests", 0)
///
///         func enter() throws {
///             try guests.add(1)
///             shown.record(.doorEntered)
///         }
///     }
///
/// A remark is not a step: under the scheduler it lets no other thread run, and a search does not try more orders.
public final class TracedObject: Sendable {
    private let handle: Handle

    /// - Parameter name: its name in traces, made unique within the run.
    public init(_ name: String? = nil, file: StaticString = #fileID, line: UInt = #line) {
        handle = Handle(.other, shownAs: .custom, name, at: SourceSite(file, line))
    }

    /// Records a remark of the calling thread.
    ///
    /// - Parameter number: the remark's value, if that is a number, nanoseconds, or bytes.
    public func record(_ remark: Remark, _ number: Int = 0, file: StaticString = #fileID, line: UInt = #line) {
        precondition(remark.value != .text, "the remark '\(remark.name)' has a text")
        handle.record(remark, number, at: SourceSite(file, line))
    }

    /// Records a remark of the calling thread, with a text.
    public func record(
        _ remark: Remark, text: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) {
        precondition(remark.value == .text, "the remark '\(remark.name)' has no text")
        handle.record(remark, text: text(), at: SourceSite(file, line))
    }
}
