import Diagnosis
import Trace

/// How a report is to look, and what it is to say beside the trace.
package struct ReportOptions: Sendable {
    /// Columns of the terminal.
    package var width = 80
    /// Columns that a row of a trace may take; what needs more continues below. Nil: each row is one line, however long.
    package var rowWidth: Int? = 80
    /// The most rows of a trace that are shown, half of them from its beginning and half from its end. Nil: all.
    package var mostRows: Int?
    /// Whether repeated rows are shown once, with a count.
    package var foldsCycles = true
    /// Whether rows end with the line of source, and not with its number only.
    package var showsCode = false
    /// ANSI colours.
    package var colour = false
    /// Nothing but ASCII, names included: what is outside is written as `\u{…}`.
    package var ascii = false
    /// A sentence that says whether the outcome was to be expected.
    package var expectation: String?
    /// Sentences about how the run was come by.
    package var remarks: [String] = []
    /// The command that replays the run.
    package var replay: String?
    /// The command that runs the same program step by step, for a run that nobody can replay.
    package var stepwise: String?
    /// The command that finds a schedule that fails, for a run that completed though others fail.
    package var search: String?
    /// What the detectors found.
    package var findings: [Finding] = []
    /// The text of a line of source, where it is there. Nil: none is shown.
    package var source: (@Sendable (TraceDocument.Site) -> String?)?
    /// What the user calls the program. Nil: the report names no command that explains a finding.
    package var program: String?

    package init(width: Int = 80, colour: Bool = false, ascii: Bool = false, replay: String? = nil) {
        self.width = width
        rowWidth = width
        self.colour = colour
        self.ascii = ascii
        self.replay = replay
    }
}
