import Diagnosis
import Trace

/// Which rows of a trace are shown if there are too many.
package enum KeptRows: Sendable {
    /// Half of them from its beginning, half from its end.
    case ends
    case first, last
}

/// The layout of a report, and what it says in addition to the trace.
package struct ReportOptions: Sendable {
    /// The width of the terminal, in columns.
    package var width = 80
    /// The maximum width of a trace's rows; wider rows continue below. Nil: each row is one line, however long.
    package var rowWidth: Int? = 80
    /// The maximum number of rows shown of a trace. Nil: all.
    package var mostRows: Int?
    package var keptRows = KeptRows.ends
    /// Whether the lanes are written alone, without what was run and how it ended.
    package var showsOnlyRows = false
    /// Whether repeated rows are shown once, with a count.
    package var foldsCycles = true
    /// Whether many steps before there is a second thread are one row.
    package var foldsBeginning = false
    /// Whether the steps inside built objects are shown too.
    package var showsInsides = false
    /// Whether rows end with the line of source, not only its number.
    package var showsCode = false
    /// Whether to list the writes of each atomic in modification order.
    package var showsModificationOrder = false
    /// Whether to use ANSI colors.
    package var color = false
    /// Whether to use only ASCII, also in names: other characters are written as `\u{…}`.
    package var ascii = false
    /// A sentence that says whether the outcome was expected.
    package var expectation: String?
    /// Sentences about how the run was produced.
    package var remarks: [String] = []
    /// The command that replays the run.
    package var replay: String?
    /// What replays a test's run without a change of the test.
    package var replayInShell: String?
    /// The command that runs the same program step by step, for a run that cannot be replayed.
    package var stepwise: String?
    /// The command that finds a schedule that fails, for a run that completed though others fail.
    package var search: String?
    /// The findings of the detectors.
    package var findings: [Finding] = []
    /// The text of a line of source, if available. Nil: none is shown.
    package var source: (@Sendable (TraceDocument.Site) -> String?)?
    /// The path of a place's file that is shown before its line of source. Nil, or where it gives none: without the folders.
    package var path: (@Sendable (TraceDocument.Site) -> String?)?
    /// The program's name for the user. Nil: the report names no command that explains a finding.
    package var program: String?

    package init(width: Int = 80, color: Bool = false, ascii: Bool = false, replay: String? = nil) {
        self.width = width
        rowWidth = width
        self.color = color
        self.ascii = ascii
        self.replay = replay
    }
}
