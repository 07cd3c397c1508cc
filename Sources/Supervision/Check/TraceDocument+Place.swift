import Diagnosis
import Trace

extension TraceDocument {
    /// The line of source that the outcome is about: of the finding that decides it, or of the last event that has one.
    func place(of outcome: Outcome, judgesLockOrder: Bool) -> Evidence.Place? {
        if outcome.kind == .completed { return nil }
        var examination = Examination(judgesLockOrder: judgesLockOrder, isWhole: false)
        examination.consume(events[...])
        let decisive = Finding.deciding(outcome, among: examination.findings(in: Names(self)))
        let id = decisive?.sites.first ?? events.last { site($0.site) != nil }?.site
        return id.flatMap { site($0) }.map { Evidence.Place(file: $0.file, line: Int($0.line)) }
    }
}
