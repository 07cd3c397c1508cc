import Authoring
import Diagnosis
import Reports
import Supervision
import Trace

/// The folder of `check --html`: a page for each failure that can be shown, and an index of all results.
struct CheckPages {
    private let folder: String
    private let names: [String]
    /// Where the index is written.
    private let index: NewFile
    /// By the number of the scenario.
    private var pages: [Int: String] = [:]

    init(_ path: String, scenarios: [String]) throws(Complaint) {
        try TraceFolder.make(path, for: "pages")
        folder = path.hasSuffix("/") ? String(path.dropLast()) : path
        // A program may be called "index".
        names = TraceNames(["index"] + scenarios, suffix: ".html").names.dropFirst().map(\.self)
        index = try NewFile(at: "\(folder)/index.html", for: "the index", orElse: "remove it")
    }

    /// - Parameter content: a trace, as it is saved.
    mutating func save(_ content: [UInt8], of scenario: any Runnable, _ number: Int) throws {
        var trace = try TraceReader.read(content)
        var examination = Examination(judgesLockOrder: scenario.judgesLockOrder)
        examination.consume(trace.events[...])
        let words = Names(trace)
        trace.outcome = trace.outcome ?? examination.outcome(in: words, guide: scenario.guide)
        var options = ReportOptions()
        options.findings = examination.findings(in: words).filter(FindingSelection.important.includes)
        options.source = SourceLines(scenario).text
        let file = try NewFile(at: "\(folder)/\(names[number])", for: "the page", orElse: "remove it")
        try PageDestination(file).save(trace, of: scenario, options)
        pages[number] = names[number]
    }

    func writeIndex(_ results: [CheckedScenario]) throws(Complaint) {
        let rows = results.enumerated().map { (scenario: $0.element, page: pages[$0.offset]) }
        try index.write { CheckIndexPage(rows).write(to: &$0) }
    }
}
