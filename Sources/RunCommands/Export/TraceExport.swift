import Arguments
import Console
import Reports
import Text
import Trace

/// A run in a file for another viewer, such as Perfetto, or as a drawing. The file's path is checked before anything
/// runs.
struct TraceExport {
    enum Form { case perfetto, shiviz, lanes, film }

    private let form: Form
    private let file: NewFile
    private let program: String
    /// For drawings: how many rows they show, and whether with source lines.
    private var options = ReportOptions()

    init(
        _ form: Form, _ path: String, _ rows: TypedArguments<RowOptions>, _ session: Session
    ) throws(Complaint) {
        self.form = form
        program = session.program
        let content =
            switch form {
            case .perfetto: "the Perfetto trace"
            case .shiviz: "the log"
            case .lanes: "the drawing"
            case .film: "the film strip"
            }
        file = try NewFile(at: path, for: content, orElse: "choose a name in a folder of yours")
        rows.apply(to: &options)
    }

    /// - Parameter sources: the files whose text may be shown.
    func write(_ subject: TraceSubject, _ sources: SourceScope) throws(Complaint) {
        let trace = subject.trace
        var options = options
        options.source = SourceLines(subject.scenario, sources).text
        var omitted = 0
        try file.write { sink in
            switch form {
            case .perfetto: omitted = PerfettoTrace.write(trace, to: &sink)
            case .shiviz: omitted = ShiVizLog.write(trace, to: &sink)
            case .lanes: LaneDrawing.write(trace, options, to: &sink)
            case .film: FilmStrip.write(trace, options, to: &sink)
            }
        }
        guard omitted > 0 else { return }
        let most = ReadableBytes.text(Int64(ExportLimits.bytes))
        StandardError.write(
            "\(program): \(file.path.printable) lacks the last \(omitted.grouped) of \(trace.events.count.grouped) "
                + "events: with them, it has more than \(most)\n")
    }
}
