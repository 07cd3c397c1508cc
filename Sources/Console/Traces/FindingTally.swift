import Diagnosis
import Reports
import Supervision
import Trace

/// The findings of many runs: each finding once, with the number of runs that show it.
package struct FindingTally {
    package struct Row {
        let finding: Finding
        /// The trace of the first run that shows it.
        let trace: TraceDocument
        /// The number of that run.
        let first: Int
        /// The number of runs that show it.
        package fileprivate(set) var count: Int
        /// Whether it was always the outcome of its run.
        fileprivate var isOutcome: Bool
    }

    /// Identifies a finding across runs by its code and source lines or, if it has no lines, the names of its objects.
    /// The numbers of its events, and perhaps its threads, differ from run to run.
    private struct Signature: Hashable {
        var code: FindingCode
        var sites: Set<String>
        var objects: Set<String>

        init(_ finding: Finding, in trace: TraceDocument) {
            code = finding.code
            sites = Set(finding.sites.compactMap { trace.site($0) }.map { "\($0.file):\($0.line)" })
            objects = sites.isEmpty ? Set(finding.objects.compactMap { trace.object($0)?.name }) : []
        }
    }

    /// The words of a finding that a reader sees. Two findings with the same words count as one, even if they differ in
    /// an event that is not shown.
    private struct Words: Hashable {
        let code: FindingCode
        let summary: String
    }

    package init() {}

    /// The indices of rows in `all`.
    private var rowBySignature: [Signature: Int] = [:]
    private var rowByWords: [Words: Int] = [:]
    /// The rows in the order of discovery.
    private var all: [Row] = []
    /// The rows to report. A finding that was the outcome of each run that shows it is left out, because the report
    /// counts outcomes elsewhere.
    private var rows: [Row] { all.filter { !$0.isOutcome && !isCovered($0) } }

    /// The maximum number of rows, because each keeps a trace in memory. Further findings are not counted.
    private static let most = 20

    /// - Parameter number: the run's number.
    package mutating func add(_ findings: [Finding], of trace: TraceDocument, _ number: Int) {
        var seen: Set<Int> = []
        for finding in findings {
            let signature = Signature(finding, in: trace)
            let words = Words(code: finding.code, summary: finding.summary)
            let isOutcome = finding.outcome != nil && finding.outcome == trace.outcome?.kind
            if let row = rowBySignature[signature] ?? rowByWords[words] {
                guard seen.insert(row).inserted else { continue }
                all[row].count += 1
                if !isOutcome { all[row].isOutcome = false }
            } else if all.count < Self.most {
                seen.insert(all.count)
                rowBySignature[signature] = all.count
                rowByWords[words] = all.count
                all.append(Row(finding: finding, trace: trace, first: number, count: 1, isOutcome: isOutcome))
            }
        }
    }

    /// Leaves out locks taken in different orders if a report shows a deadlock by these locks: it says more.
    ///
    /// - Parameter locks: the names of the locks of each deadlock.
    package func without(lockOrdersOf locks: [Set<String>]) -> Self {
        var rest = self
        rest.covered = locks
        return rest
    }

    private var covered: [Set<String>] = []

    private func isCovered(_ row: Row) -> Bool {
        guard row.finding.code == .lockOrder else { return false }
        let names = Set(row.finding.objects.compactMap { row.trace.object($0)?.name })
        return covered.contains { names.isSubset(of: $0) }
    }

    /// - Parameters:
    ///   - program: the program's name, as the user typed it.
    ///   - describe: returns a sentence on how often a finding was seen.
    ///   - replay: returns the command that repeats a run.
    package func write(
        _ options: ReportOptions, program: String, to sink: inout ByteSink, describe: (Row) -> String,
        replay: (TraceDocument) -> String?
    ) {
        for row in rows {
            let finding = row.finding
            var statement = Statement(
                "\(finding.severity.rawValue) \(finding.code.rawValue)", finding.summary, isGood: false)
            statement.paragraphs = [describe(row)]
            if let command = replay(row.trace) { statement.commands.append(.init("Replay", command)) }
            statement.commands.append(.init("More", "\(program) explain \(finding.code.rawValue)"))
            sink.endLine()
            statement.write(options, to: &sink)
        }
    }

    /// Writes the member `findings`.
    package func writeJSON(to json: inout JSONObject, replay: (TraceDocument) -> String?) {
        json.objects("findings", rows) { row, json in
            json.member("runs", row.count)
            json.member("first", row.first)
            json.object("finding") { FindingJSON(row.trace).write(row.finding, to: &$0) }
            json.member("replay", replay(row.trace))
        }
    }
}
