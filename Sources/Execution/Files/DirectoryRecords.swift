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
        guard mkdir(directory, 0o700) == 0 || errno == EEXIST else {
            throw FileFailed("cannot create \(directory): \(Writer.reason())")
        }
        let path = "\(directory)/\(name)"
        let descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FileFailed("cannot open \(path): \(Writer.reason())") }
        return Writer(descriptor: descriptor)
    }

    package func records(in name: String) throws -> [Int] {
        guard let file = fopen("\(directory)/\(name)", "re") else { return [] }
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
}
