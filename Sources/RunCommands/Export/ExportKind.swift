import Arguments
import Console
import Reports
import Text

/// What `export` writes: the value of `--as`, or what the end of the file's name says.
enum ExportKind: String, CaseIterable {
    case page, run, lanes, film, states, locks, waits, order
    case reads = "reads-from"
    case handout, perfetto, shiviz

    /// The kind's description in the help text.
    var help: String {
        switch self {
        case .page: "a page with all states of a small program, to step through"
        case .run: "a page that shows a run step by step"
        case .lanes: "the lanes of a run, as a drawing"
        case .film: "a picture of each step of a short run"
        case .states: "the states of a small program, and the steps between them"
        case .locks: "which locks were taken while which others were held"
        case .waits: "what each thread waits for at the end of the run"
        case .order: "what is ordered before the two accesses of a data race"
        case .reads: "which write each read of an atomic reads, and in which order the writes are"
        case .handout: "a sheet to print: the program, and a run to fill in"
        case .perfetto: "the trace for ui.perfetto.dev"
        case .shiviz: "the trace as a log with vector clocks, for ShiViz"
        }
    }

    /// The suffixes that the kind's files may have, the usual one first.
    var endings: [String] {
        switch self {
        case .page, .run: [".html"]
        case .lanes, .film: [".svg"]
        case .states, .locks, .waits, .order, .reads: [".dot", ".gv", ".svg"]
        case .handout: [".pdf", ".svg"]
        case .perfetto: [".pftrace"]
        case .shiviz: [".log"]
        }
    }

    /// The kind of graph of a run. Nil: the kind is another one.
    var graph: RunGraph.Kind? {
        switch self {
        case .locks: .locks
        case .waits: .waits
        case .order: .order
        case .reads: .reads
        case .page, .run, .lanes, .film, .states, .handout, .perfetto, .shiviz: nil
        }
    }

    /// The form of a run for another viewer. Nil: the kind is another one.
    var form: TraceExport.Form? {
        switch self {
        case .lanes: .lanes
        case .film: .film
        case .perfetto: .perfetto
        case .shiviz: .shiviz
        case .run, .page, .states, .locks, .waits, .order, .reads, .handout: nil
        }
    }

    /// What the end of a file's name says about its kind. It may leave open which of several kinds.
    enum Meant {
        case kind(ExportKind)
        /// A page of all states for a `.lab` program of which no single run is meant; otherwise a page of the run.
        case fittingPage
        /// The graph that shows why the run ended as it did, such as that of waiting threads after a deadlock.
        case fittingGraph
    }

    /// - Throws: if the file's suffix does not determine a kind.
    static func meant(by path: String) throws(Complaint) -> Meant {
        let endings: [(String, Meant)] = [
            (".html", .fittingPage), (".dot", .fittingGraph), (".gv", .fittingGraph), (".svg", .kind(.lanes)),
            (".pdf", .kind(.handout)), (".pftrace", .kind(.perfetto)),
            (".log", .kind(.shiviz)),
        ]
        if let (_, meant) = endings.first(where: { path.hasSuffix($0.0) }) { return meant }
        throw Complaint(
            "export: '\(path.printable)' does not end in \(ValueKind.either(endings.map(\.0))): say with --as what to write"
        )
    }

    /// - Throws: if the file's name ends in none of the kind's suffixes.
    func require(_ path: String) throws(Complaint) {
        guard !endings.contains(where: { path.hasSuffix($0) }) else { return }
        throw Complaint(
            "export --as \(rawValue): '\(path.printable)' should end in \(ValueKind.either(endings))")
    }
}
