import Diagnosis
import Text
import Trace
import Views

/// A run as one self-contained HTML file: lanes, threads, objects, the program and the findings, after each step.
///
/// The page's script computes nothing about the run. It gets the initial state, and the changes of each step, as
/// `RunModel` has them. A content security policy in the file allows only this script and this style, so that no text
/// of a program can become code, and the page loads nothing.
package struct PageReport {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let files: [PageFile]
    private let title: String?

    /// - Parameters:
    ///   - title: the program's own name, if it differs from that of its file.
    ///   - files: the texts of the program's files that are known. For other files the page shows the lines that the
    ///     run reached.
    package init(
        _ trace: TraceDocument, title: String? = nil, files: [PageFile] = [], _ options: ReportOptions = .init()
    ) {
        self.trace = trace
        self.title = title
        self.options = options
        self.files = files
    }

    package func write(to sink: inout ByteSink) {
        PageTemplate.run.write(parts, to: &sink)
    }

    /// The values for the places of the template.
    private var parts: [String: [UInt8]] {
        let outcome = trace.outcome
        let head = outcome?.kind.rawValue ?? trace.missingEnd.word
        let header = trace.header
        let name = Label((title ?? header.scenario).shortened()).text
        var details = title == nil || title == header.scenario ? [] : [Label(header.scenario.shortened()).text]
        details += header.parameters.map { "\($0.name)=\($0.value)" }
        details.append(header.runtime == .native ? "on real threads" : "under the scheduler")
        if let model = header.memoryModel { details.append("memory model \(model)") }
        if let seed = header.seed { details.append("seed \(seed)") }
        if trace.omitted > 0 { details.append("its first \(Names.count(trace.events.count, "event"))") }
        var data = ByteSink()
        let page = PageData(trace, files: files, options)
        page.write(to: &data)
        if let part = page.part { details.append(part) }
        return [
            "title": Self.escaped("\(name): \(head)"), "name": Self.escaped(name),
            "details": Self.escaped(details.joined(separator: ", ")),
            "tone": Array((outcome?.kind == .completed ? "good" : "bad").utf8),
            "outcome": Self.escaped(head),
            "summary": Self.escaped(outcome?.summary ?? trace.missingEnd.summary),
            "footer": Self.escaped(options.replay.map { "Replay: \($0)" } ?? ""),
            "data": PageTemplate.harmless(data.bytes),
        ]
    }

    private static func escaped(_ text: String) -> [UInt8] { Array(text.escapedForXML.utf8) }
}

/// A file of the program that was run.
package struct PageFile {
    /// The name in the trace's sites.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
