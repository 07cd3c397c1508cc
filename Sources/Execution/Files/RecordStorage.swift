/// Where a run's record files are: a real directory, or a model of one.
package protocol RecordStorage: AnyObject, Sendable {
    /// Opens a file to append to, empty at first.
    func open(_ name: String) throws -> any RecordWriter

    /// What the file holds now. Nothing, if it does not exist.
    func records(in name: String) throws -> [Int]
}

/// An open record file. Several threads may append; each record goes in whole.
package protocol RecordWriter: Sendable {
    func append(_ record: Int) throws
}

/// A system call on a scratch file failed.
public struct FileFailed: Error, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }
}
