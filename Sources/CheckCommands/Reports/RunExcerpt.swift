import Console
import Judging
import Reports
import Trace

/// A part of a run as lanes, one line for each step, short enough to be printed with the message about a submission.
package struct RunExcerpt {
    /// The lines, after a line that says what they show, if that is not clear.
    package let lines: [String]
    /// Whether some of the run is left out.
    package let isCut: Bool

    /// The maximum number of rows.
    private static let mostRows = 16

    package init(_ run: ShownRun, width: Int) {
        let all = Self.rows(run, width, most: nil)
        let shown = Self.rows(run, width, most: Self.mostRows)
        let omitted = all.count - shown.count
        isCut = omitted > 0
        // If the end is left out, the lanes say so themselves.
        let note =
            isCut && run.isAboutEnd ? ["(\(omitted) earlier \(omitted == 1 ? "row is" : "rows are") left out)"] : []
        lines = (run.caption.map { [$0] } ?? []) + note + shown
    }

    private static func rows(_ run: ShownRun, _ width: Int, most: Int?) -> [String] {
        var options = ReportOptions(width: width)
        options.showsOnlyRows = true
        options.mostRows = most
        options.keptRows = run.isAboutEnd ? .last : .first
        let text = ByteSink.collect { ReportFormat.lanes.write(run.trace, options, to: &$0) }
        return text.split(whereSeparator: \.isNewline).map(String.init)
    }
}
