import Diagnosis
import Trace

/// A row of a finding's account, for formats without lanes.
package struct AccountRow: Equatable, Sendable {
    /// Steps that are left out before this one: how many, and of which threads. Nil: none is.
    package var gap: String?
    package var thread: String
    /// The step in words.
    package var step: String
    /// The place in the source. Nil: not known.
    package var place: Evidence.Place?
    package var role: Account.Step.Role

    package init(
        gap: String? = nil, thread: String, step: String, place: Evidence.Place? = nil, role: Account.Step.Role
    ) {
        self.gap = gap
        self.thread = thread
        self.step = step
        self.place = place
        self.role = role
    }

    /// The account of the finding that decides how the run ended. Empty if none does.
    ///
    /// - Parameter judgesLockOrder: whether locks that are taken in different orders decide that.
    package static func all(of trace: TraceDocument, judgesLockOrder: Bool = false) -> [AccountRow] {
        var examination = Examination(judgesLockOrder: judgesLockOrder)
        examination.consume(trace.events[...])
        let findings = examination.findings(in: Names(trace))
        return Finding.deciding(trace.outcome, among: findings).map { all(of: $0, in: trace) } ?? []
    }

    /// The account of a finding of this run.
    ///
    /// - Parameter context: the steps on which the finding does not depend, by the numbers of their events.
    package static func all(
        of finding: Finding, in trace: TraceDocument, context: Set<Int> = []
    ) -> [AccountRow] {
        let cast = Cast(trace, ReportOptions())
        let words = StepWords(cast: cast)
        let roles = trace.roles().all
        var next = 0
        return Account(of: finding, in: trace).with(context: context).steps.map { step in
            let omitted = (next..<max(next, step.event)).filter { roles[$0] == .step }
            next = step.event + 1
            let event = trace.events[step.event]
            return AccountRow(
                gap: omitted.isEmpty ? nil : "\(Names.count(omitted.count, "step")) of \(cast.owners(of: omitted))",
                thread: cast.thread(event.thread).text, step: words.label(event, at: step.event).text,
                place: trace.site(event.site).map { Evidence.Place(file: $0.file, line: $0.line) },
                role: step.role)
        }
    }

    /// The rows as lines: the thread, its step, and the place.
    package static func lines(_ rows: [AccountRow]) -> [String] {
        let names = rows.map { Label($0.thread) }
        let steps = rows.map { Label($0.step) }
        let nameWidth = names.map(\.width).max() ?? 0
        let stepWidth = min(steps.map(\.width).max() ?? 0, widestStep)
        return zip(rows, zip(names, steps)).flatMap { row, labels -> [String] in
            let mark =
                switch row.role {
                case .fault: "✗"
                case .cause: "●"
                case .context: "◦"
                }
            let start = "\(mark) \(labels.0.padded(to: nameWidth))  "
            let place = row.place.map { "  \($0.shortFile):\($0.line)" } ?? ""
            let line = place.isEmpty ? start + labels.1.text : start + labels.1.padded(to: stepWidth) + place
            return [row.gap.map { "  … \($0)" }, line].compactMap(\.self)
        }
    }

    /// The width to which the words of a step are filled up.
    private static let widestStep = 48

    package func write(to json: inout JSONObject) {
        json.member("leftOut", gap)
        json.member("thread", thread)
        json.member("step", step)
        json.member("file", place?.file)
        json.member("line", place?.line)
        json.member("role", role.rawValue)
    }
}

extension Label {
    /// The text, filled up with blanks.
    fileprivate func padded(to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - self.width))
    }
}

extension Evidence.Place {
    /// The file's name without folders.
    fileprivate var shortFile: String { TraceDocument.Site(file: file, line: line).shortFile }
}
