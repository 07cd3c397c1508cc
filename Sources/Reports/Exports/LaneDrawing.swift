import Diagnosis
import Trace

/// The lanes as a drawing for slides and handouts, in SVG: the rows of the lanes report, bands for waits, and arrows to
/// steps from the events that enabled them.
package struct LaneDrawing {
    private let lanes: LaneRows
    private let outcome: OutcomeText

    /// The limit of rows, unless all are requested. A longer drawing fits on no page.
    private static let mostRows = 400

    /// - Parameter options: the drawing uses the findings, which rows are shown, and whether with their source. Names
    ///   are not made ASCII.
    package static func write(_ trace: TraceDocument, _ options: ReportOptions, to sink: inout ByteSink) {
        let drawing = LaneDrawing(trace, options)
        drawing.write(to: &sink)
    }

    private init(_ trace: TraceDocument, _ options: ReportOptions) {
        var options = options
        options.ascii = false
        let showsAll = !options.foldsCycles
        options.mostRows = min(options.mostRows ?? .max, showsAll ? ExportLimits.rows : Self.mostRows)
        // If all rows that can be drawn are shown, the note must not name an option that shows more.
        lanes = LaneRows(ShownTrace(trace, options), note: { showsAll ? $0.noteOnPaper : $0.note })
        let columns = max(lanes.layout.columns(from: lanes.layout.margin), 40)
        outcome = OutcomeText(trace.outcome, lanes.shown.cast, columns: columns)
    }

    private var layout: DrawingLayout { lanes.layout }

    /// Writes the layers one after the other, each in a separate pass, so that the drawing is never in memory as a
    /// whole.
    private func write(to sink: inout ByteSink) {
        let title = lanes.shown.cast.title.text
        var canvas = SVGCanvas(sink)
        canvas.begin(
            width: layout.width, height: outcomeY(outcome.lines.count) + layout.margin, title: title,
            story: lanes.shown.trace.outcome.map { "\($0.kind.rawValue): \($0.summary)" } ?? "")
        for layer in SVGCanvas.Layer.allCases {
            canvas.begin(layer)
            canvas.text(title, x: layout.margin, y: layout.margin + 12, .title)
            lanes.write(to: &canvas)
            for (index, line) in outcome.lines.enumerated() {
                canvas.text(line.text, x: layout.margin + line.indent, y: outcomeY(index + 1), line.style)
            }
            canvas.endLayer()
        }
        canvas.finish()
        sink = canvas.sink
    }

    /// The bottom of the first `lines` lines of the outcome, which is below the lanes.
    private func outcomeY(_ lines: Int) -> Int {
        lines == 0 ? lanes.end : lanes.end + layout.rowHeight / 2 + lines * layout.rowHeight
    }
}

/// How a run ended, in lines of text below its lanes.
struct OutcomeText {
    struct Line {
        var text: String
        var indent = 0
        var style = SVGCanvas.TextStyle.plain
    }

    private(set) var lines: [Line] = []

    init(_ outcome: Outcome?, _ cast: Cast, columns: Int) {
        guard let outcome else { return }
        let style: SVGCanvas.TextStyle = outcome.kind == .completed ? .good : .failure
        let head = cast.label("\(outcome.kind.rawValue): \(outcome.summary)").pieces(within: columns)
        lines = head.map { Line(text: $0.text, style: style) }
        for detail in outcome.details {
            lines += cast.label(detail).pieces(within: columns - 2).map { Line(text: $0.text, indent: 14) }
        }
    }
}
