import Glibc

/// The files that a run reads and writes, in a real directory or in a model of one. A record file is a list of numbers;
/// a lock file contains the number of its owner.
package protocol RecordStorage: AnyObject, Sendable {
    /// Opens a record file for appending, after making it empty.
    func open(_ name: String) throws -> any RecordWriter

    /// The content of the record file. Empty if it does not exist.
    func records(in name: String) throws -> [Int]

    // MARK: - Files that are locks

    /// Atomically creates the file, with its owner's number in it, unless it exists.
    ///
    /// - Returns: whether it was created.
    func createLock(_ name: String, owner: Int) throws -> Bool

    /// The number in the file. Nil if it does not exist.
    func owner(ofLock name: String) throws -> Int?

    /// Atomically removes the file, if it exists.
    ///
    /// - Parameter owner: if given, the file is removed only if it contains this number.
    /// - Returns: whether the file was removed.
    @discardableResult func removeLock(_ name: String, of owner: Int?) throws -> Bool
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

/// The rules for the name of a file in the scratch directory of a run: it must not lead out of the directory, or be too
/// long for the file system.
package enum FileName {
    /// The maximum length of a name in bytes. The kernel's limit is 255, but a lock file is first written under a
    /// longer name.
    private static let longest = 200

    /// Accepts a name that follows the rules.
    ///
    /// - Throws: `FileFailed`, for any other name.
    package static func check(_ name: String) throws {
        guard let problem = problem(name) else { return }
        throw FileFailed("\"\(name)\" cannot be the name of a file: \(problem)")
    }

    private static func problem(_ name: String) -> String? {
        if name.isEmpty { return "it is empty" }
        if name == "." || name == ".." { return "it is a directory" }
        if name.utf8.contains(UInt8(ascii: "/")) { return "it contains '/'" }
        if name.utf8.contains(0) { return "it contains a zero byte" }
        return name.utf8.count > longest ? "it is longer than \(longest) bytes" : nil
    }
}

/// Record files in memory, for the controlled runtime. One OS thread uses them.
package final class ModelRecords: RecordStorage, @unchecked Sendable {
    private final class File: RecordWriter, @unchecked Sendable {
        var records: [Int] = []
        func append(_ record: Int) { records.append(record) }
    }

    private var files: [String: File] = [:]
    /// By name: the number of the owner.
    private var locks: [String: Int] = [:]

    package init() {}

    package func removeAll() {
        if !files.isEmpty { files = [:] }
        if !locks.isEmpty { locks = [:] }
    }

    package func open(_ name: String) -> any RecordWriter {
        let file = File()
        files[name] = file
        return file
    }

    package func records(in name: String) -> [Int] { files[name]?.records ?? [] }

    package func createLock(_ name: String, owner: Int) -> Bool {
        guard locks[name] == nil else { return false }
        locks[name] = owner
        return true
    }

    package func owner(ofLock name: String) -> Int? { locks[name] }
    package func removeLock(_ name: String, of owner: Int?) -> Bool {
        guard let found = locks[name], owner == nil || owner == found else { return false }
        locks[name] = nil
        return true
    }
}

/// Record files in a real directory. Each record is a line, appended by a single `write`.
package final class DirectoryRecords: RecordStorage {
    private final class Writer: RecordWriter {
        private let descriptor: Int32

        init(descriptor: Int32) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        func append(_ record: Int) throws {
            // The descriptor must stay open until the record is written.
            defer { withExtendedLifetime(self) {} }
            var line = Array("\(record)\n".utf8)
            let written = line.withUnsafeMutableBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written == line.count else { throw FileFailed("cannot append a record: \(Self.reason())") }
        }

        static func reason() -> String { String(cString: strerror(errno)) }
    }

    private let directory: String

    /// - Parameter directory: the path of the directory, which is created when the first file in it is.
    package init(directory: String) { self.directory = directory }

    package func open(_ name: String) throws -> any RecordWriter {
        let path = try path(of: name)
        try makeDirectory()
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailed("cannot open \(path): \(Writer.reason())") }
        return Writer(descriptor: descriptor)
    }

    private func path(of name: String) throws -> String {
        try FileName.check(name)
        return "\(directory)/\(name)"
    }

    private func makeDirectory() throws {
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw FileFailed("cannot create \(directory): \(Writer.reason())")
        }
    }

    package func records(in name: String) throws -> [Int] {
        guard let file = fopen(try path(of: name), "re") else { return [] }
        defer { fclose(file) }
        var records: [Int] = []
        var record = 0
        while withUnsafeMutablePointer(to: &record, { pointer in withVaList([pointer]) { vfscanf(file, "%ld", $0) } })
            == 1
        {
            records.append(record)
        }
        return records
    }

    // MARK: - Locks

    /// Writes the file under another name first, and then links it, so that no process sees a lock without its owner.
    package func createLock(_ name: String, owner: Int) throws -> Bool {
        let path = try path(of: name)
        try makeDirectory()
        let draft = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
        let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailed("cannot create \(draft): \(Writer.reason())") }
        defer { unlink(draft) }
        // The writer closes the file when it is released.
        try Writer(descriptor: descriptor).append(owner)
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw FileFailed("cannot create \(path): \(Writer.reason())") }
        return false
    }

    package func owner(ofLock name: String) throws -> Int? { try records(in: name).first }

    /// Files are removed by name: between reading a file's owner and removing it, another process could replace the
    /// file by one of its own. So a process that removes a lock's file first takes a kernel lock on a second file. The
    /// kernel releases that lock if the process ends early.
    package func removeLock(_ name: String, of owner: Int?) throws -> Bool {
        let path = try path(of: name)
        try makeDirectory()
        let removal = Glibc.open("\(path).removal", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard removal >= 0 else { throw FileFailed("cannot open \(path).removal: \(Writer.reason())") }
        defer { close(removal) }
        while flock(removal, LOCK_EX) != 0 {
            guard errno == EINTR else { throw FileFailed("cannot lock \(path).removal: \(Writer.reason())") }
        }
        if let owner, try self.owner(ofLock: name) != owner { return false }
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw FileFailed("cannot remove \(path): \(Writer.reason())") }
        return false
    }
}
