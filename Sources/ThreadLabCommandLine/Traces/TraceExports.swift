import Arguments
import Authoring
import LabExecution
import Reports
import Text
import Trace

/// The files into which a trace is written for other viewers. Their places are checked before anything runs.
struct TraceExports {
    private enum Form: String { case perfetto, shiviz, svg, film }

    private var files: [(form: Form, file: NewFile)] = []
    /// Which rows a drawing shows, and whether with their source.
    private var rows = ReportOptions()
    private let sources: SourceScope
    private let program: String

    var isEmpty: Bool { files.isEmpty }

    init(
        _ files: TypedArguments<ExportOptions>, _ rows: TypedArguments<RowOptions>, _ sources: SourceScope,
        _ session: Session
    ) throws(Complaint) {
        self.sources = sources
        program = session.program
        rows.apply(to: &self.rows)
        try add(.perfetto, files.perfetto, "the Perfetto trace")
        try add(.shiviz, files.shiviz, "the log")
        try add(.svg, files.svg, "the drawing")
        try add(.film, files.film, "the film strip")
    }

    private mutating func add(_ form: Form, _ path: String?, _ content: String) throws(Complaint) {
        guard let path else { return }
        let file = try NewFile(at: path, for: content, orElse: "choose a name in a folder of yours")
        if files.contains(where: { $0.file.path == file.path }) {
            throw Complaint("--\(form.rawValue) and another option name the same file")
        }
        files.append((form, file))
    }

    /// - Parameter trace: Nil if there is no run to write.
    func write(_ trace: TraceDocument?, of scenario: (any Runnable)?) throws(Complaint) {
        guard let trace else {
            let names = files.map { $0.file.path.printable }.joined(separator: ", ")
            if !isEmpty { StandardError.write("\(program): nothing was found, so nothing is written to \(names)\n") }
            return
        }
        for (form, file) in files {
            var omitted = 0
            try file.write { sink in
                switch form {
                case .perfetto: omitted = PerfettoTrace.write(trace, to: &sink)
                case .shiviz: omitted = ShiVizLog.write(trace, to: &sink)
                case .svg: LaneDrawing.write(trace, options(scenario), to: &sink)
                case .film: FilmStrip.write(trace, options(scenario), to: &sink)
                }
            }
            if omitted > 0 {
                let most = ReadableBytes.text(Int64(ExportLimits.bytes))
                StandardError.write(
                    "\(program): \(file.path.printable) lacks the last \(omitted.grouped) of \(trace.events.count.grouped) "
                        + "events: with them, it has more than \(most)\n")
            }
        }
    }

    private func options(_ scenario: (any Runnable)?) -> ReportOptions {
        var options = rows
        options.source = SourceLines(scenario, sources).text
        return options
    }
}

extension OptionList {
    mutating func page() -> Listed<String?> {
        file("html", "Write a page that shows the run step by step to this file: it works offline, in any browser")
    }
}

/// Where a page that shows a run step by step is written. It is checked as far as possible before anything runs.
struct PageDestination {
    private let file: NewFile

    /// Nil: none is wanted.
    init?(_ path: String?) throws(Complaint) {
        guard let path else { return nil }
        file = try NewFile(at: path, for: "the page", orElse: "name a file")
    }

    init(_ file: NewFile) { self.file = file }

    var path: String { file.path }

    /// - Parameter scenario: the program that was run. Nil: unknown.
    func save(
        _ trace: TraceDocument, of scenario: (any Runnable)?, _ options: ReportOptions
    ) throws(Complaint) {
        let page = PageReport(trace, title: scenario?.label, files: Self.files(of: scenario), options)
        try file.write { page.write(to: &$0) }
    }

    /// The program's text, as it was run. Of a Swift scenario the page shows the lines that the run reached.
    private static func files(of scenario: (any Runnable)?) -> [PageFile] {
        guard let source = (scenario as? LabScenario)?.program.source else { return [] }
        return [PageFile(name: source.name, text: String(decoding: source.bytes, as: UTF8.self))]
    }
}
