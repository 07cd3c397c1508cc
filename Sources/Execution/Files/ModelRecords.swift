/// Record files in memory, for the controlled runtime: one OS thread uses them.
package final class ModelRecords: RecordStorage, @unchecked Sendable {
    private final class File: RecordWriter, @unchecked Sendable {
        var records: [Int] = []
        func append(_ record: Int) { records.append(record) }
    }

    private var files: [String: File] = [:]
    /// By name: the owner.
    private var locks: [String: Int] = [:]

    package init() {}

    /// Removes all files.
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
    package func removeLock(_ name: String) { locks[name] = nil }
}
