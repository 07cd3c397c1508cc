import Arguments
import Authoring
import LabExecution
import Reports
import Trace

extension OptionList {
    package mutating func page() -> Listed<String?> {
        file("html", "Write a page that shows the run step by step to this file: it works offline, in any browser")
    }
}

/// The file for a page that shows a run step by step. It is checked as far as possible before anything runs.
package struct PageDestination {
    private let file: NewFile

    /// Nil: no page is wanted.
    package init?(_ path: String?) throws(Complaint) {
        guard let path else { return nil }
        file = try NewFile(at: path, for: "the page", orElse: "name a file")
    }

    package init(_ file: NewFile) { self.file = file }

    package var path: String { file.path }

    /// - Parameter scenario: the program that was run. Nil: unknown.
    package func save(
        _ trace: TraceDocument, of scenario: (any Runnable)?, _ options: ReportOptions
    ) throws(Complaint) {
        let page = PageReport(trace, title: scenario?.label, files: Self.files(of: scenario), options)
        try file.write { page.write(to: &$0) }
    }

    /// The program's text as it was run. For a Swift scenario, the page shows the lines that the run reached.
    private static func files(of scenario: (any Runnable)?) -> [PageFile] {
        guard let source = (scenario as? LabScenario)?.program.source else { return [] }
        return [PageFile(name: source.name, text: String(decoding: source.bytes, as: UTF8.self))]
    }
}
