/// Where a run's record files are: a real directory, or a model of one.
package protocol RecordStorage: AnyObject, Sendable {
    /// Opens a file for appending, initially empty.
    func open(_ name: String) throws -> any RecordWriter

    /// The content of the file. Empty if it does not exist.
    func records(in name: String) throws -> [Int]

    // MARK: - Files that are locks

    /// Creates the file with its owner's number in it, unless there is one of this name: one indivisible step.
    ///
    /// - Returns: whether it has created it.
    func createLock(_ name: String, owner: Int) throws -> Bool

    /// The number in the file. Nil if it does not exist.
    func owner(ofLock name: String) throws -> Int?

    /// Removes the file, if it exists.
    func removeLock(_ name: String) throws
}

/// An open record file. Several threads may append; each record is written whole.
package protocol RecordWriter: Sendable {
    func append(_ record: Int) throws
}

/// A scratch file's name was refused, or a system call on it failed.
public struct FileFailed: Error, CustomStringConvertible {
    public let description: String

    package init(_ description: String) { self.description = description }
}
