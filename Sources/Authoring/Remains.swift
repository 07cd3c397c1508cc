import Execution

/// What a process left behind when it ended: its record files.
public final class Remains {
    private let storage: any RecordStorage
    /// Remarks of the review, which end up in the trace.
    package private(set) var notes: [String] = []

    package init(_ storage: any RecordStorage) { self.storage = storage }

    /// What a record file holds.
    public func records(in name: String) throws -> [Int] { try storage.records(in: name) }

    /// Writes a remark into the trace.
    public func note(_ text: String) { notes.append(text) }
}
