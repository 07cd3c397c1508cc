import Authoring
import Execution
import Trace

/// What the scenario says of what its process left behind.
struct Review {
    private var remarks: [(EventKind, String)] = []

    init(_ scenario: any Runnable, _ records: any RecordStorage) {
        let remains = Remains(records)
        var failure: (EventKind, String)?
        do { try scenario.review(remains) } catch let error as AssertionFailed {
            failure = (.assertionFailed, error.description)
        } catch {
            failure = (.threadError, "\(error)")
        }
        remarks = remains.notes.map { (.note, $0) }
        if let failure { remarks.append(failure) }
    }

    /// Hands over each remark, in order.
    func write(_ record: (EventKind, String) -> Void) {
        for (kind, text) in remarks { record(kind, text) }
    }
}
