/// Where a run's record files are: a real directory, or a model of one.
package protocol RecordStorage: AnyObject, Sendable {
    /// Opens a file for appending, initially empty.
    func open(_ name: String) throws -> any RecordWriter

    /// The content of the file. Empty if it does not exist.
    func records(in name: String) throws -> [Int]
}

/// An open record file. Several threads may append; each record is written whole.
package protocol RecordWriter: Sendable {
    func append(_ record: Int) throws
}

/// A system call on a scratch file failed.
public struct FileFailed: Error, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }
}
