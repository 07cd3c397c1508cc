import Execution
import Trace

/// A file in the scenario's scratch directory, to which records are appended, each as a line and with one system call.
///
/// On real threads it is a real file. Under the controlled scheduler it is a model, which stores the appended records.
public final class RecordFile: Sendable {
    private let handle: Handle
    private let writer: any RecordWriter

    /// - Parameter name: the file's name, also in traces.
    /// - Throws: `FileFailed`, if the name cannot be a file's (it is empty, too long, or a path), or if the file cannot
    ///   be opened.
    public init(_ name: String, file: StaticString = #fileID, line: UInt = #line) throws {
        try FileName.check(name)
        handle = Handle(.file, shownAs: .file, name, at: SourceSite(file, line))
        writer = try handle.with { try $0.records.open(name) }
    }

    /// Appends one record: one step.
    public func append(_ record: Int, file: StaticString = #fileID, line: UInt = #line) throws {
        try handle.perform(.append, record, at: SourceSite(file, line))
        try writer.append(record)
    }
}
