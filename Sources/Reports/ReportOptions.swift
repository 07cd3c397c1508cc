import Diagnosis
import Trace

/// Which rows are shown of a trace that has more rows than a report may show.
package enum KeptRows: Sendable {
    /// Half of them from the beginning, and half from the end.
    case ends
    case first, last
}

/// The layout of a report, and its contents besides the trace.
package struct ReportOptions: Sendable {
    /// The width of the terminal, in columns.
    package var width = 80
    /// The maximum width of a trace's rows. Wider rows continue below. Nil: each row is one line, however long, except
    /// in the lanes of very many threads.
    package var rowWidth: Int? = 80
    /// The maximum number of rows that are shown of a trace. Nil: all.
    package var mostRows: Int?
    package var keptRows = KeptRows.ends
    /// Whether only the lanes are written, without what was run and how it ended.
    package var showsOnlyRows = false
    /// Whether a long run with a finding is shown by its account: the few steps on which the finding depends.
    package var showsAccount = false
    /// The steps of the account on which the finding does not depend, by the numbers of their events from 0.
    package var context: Set<Int> = []
    /// Whether the report has the sentence on how the run ended. Otherwise it was said before.
    package var saysVerdict = true
    /// Whether repeated rows are shown once, with a count.
    package var foldsCycles = true
    /// Whether many steps before the second thread exists become one row.
    package var foldsBeginning = false
    /// Whether the steps inside built objects are shown too.
    package var showsInsides = false
    /// Whether rows end with the line of source, instead of only its number.
    package var showsCode = false
    /// Whether to list the writes of each atomic in modification order.
    package var showsModificationOrder = false
    /// Whether to use ANSI colors.
    package var color = false
    /// Whether to use only ASCII, including names: other characters are replaced by similar ones, or written as
    /// `\u{…}`.
    package var ascii = false
    /// A sentence that says whether the outcome was expected.
    package var expectation: String?
    /// Sentences about how the run was produced.
    package var remarks: [String] = []
    /// The command that replays the run.
    package var replay: String?
    /// The command that replays a test's run without a change of the test.
    package var replayInShell: String?
    /// The command that runs the same program step by step, for a run that cannot be replayed.
    package var stepwise: String?
    /// The command that finds a failing schedule, for a run that completed although others fail.
    package var search: String?
    /// The findings of the detectors.
    package var findings: [Finding] = []
    /// The text of a line of source, if available. Nil: no source is shown.
    package var source: (@Sendable (TraceDocument.Site) -> String?)?
    /// The path to show before a place's line of source. If it is nil or returns nil, the file's name is shown without
    /// folders.
    package var path: (@Sendable (TraceDocument.Site) -> String?)?
    /// The name by which the user calls threadlab. Nil: the report names no command that explains a finding.
    package var program: String?

    package init(width: Int = 80, color: Bool = false, ascii: Bool = false, replay: String? = nil) {
        self.width = width
        rowWidth = width
        self.color = color
        self.ascii = ascii
        self.replay = replay
    }
}
