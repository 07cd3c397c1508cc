import Authoring
import Execution
import Machine
import Trace

/// The scenario's review of what its process left behind.
struct Review {
    private var remarks: [(EventKind, String)] = []
    /// How the run ended if the scenario rejects what is left. Nil if it accepts it.
    let verdict: Verdict?

    init(_ scenario: any Runnable, _ records: any RecordStorage) {
        let remains = Remains(records)
        var failure: (EventKind, String)?
        do { try scenario.review(remains) } catch let error as AssertionFailed {
            failure = (.assertionFailed, error.description)
        } catch {
            failure = (.threadError, "\(error)")
        }
        verdict = failure.map { $0.0 == .assertionFailed ? .assertion : .error }
        remarks = remains.notes.map { (.note, $0) }
        if let failure { remarks.append(failure) }
    }

    /// Passes on each remark, in order.
    func write(_ record: (EventKind, String) -> Void) {
        for (kind, text) in remarks { record(kind, text) }
    }
}
