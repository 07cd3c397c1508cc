import Glibc

/// Record files in a real directory, one record per line, each appended by one `write`.
package final class DirectoryRecords: RecordStorage {
    private struct Writer: RecordWriter {
        let descriptor: Int32

        func append(_ record: Int) throws {
            var line = Array("\(record)\n".utf8)
            let written = line.withUnsafeMutableBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard written == line.count else { throw FileFailed("cannot append a record: \(Self.reason())") }
        }

        static func reason() -> String { String(cString: strerror(errno)) }
    }

    private let directory: String

    /// - Parameter directory: its path; it is created when the first file is opened.
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

    /// Written under another name first, and then linked: no process sees a lock without its owner.
    package func createLock(_ name: String, owner: Int) throws -> Bool {
        let path = try path(of: name)
        try makeDirectory()
        let draft = "\(path).\(getpid()).\(UInt64.random(in: .min ... .max))"
        let descriptor = Glibc.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailed("cannot create \(draft): \(Writer.reason())") }
        defer { unlink(draft) }
        do {
            defer { close(descriptor) }
            try Writer(descriptor: descriptor).append(owner)
        }
        if link(draft, path) == 0 { return true }
        guard errno == EEXIST else { throw FileFailed("cannot create \(path): \(Writer.reason())") }
        return false
    }

    package func owner(ofLock name: String) throws -> Int? { try records(in: name).first }

    package func removeLock(_ name: String) throws {
        let path = try path(of: name)
        guard unlink(path) == 0 || errno == ENOENT else {
            throw FileFailed("cannot remove \(path): \(Writer.reason())")
        }
    }
}
