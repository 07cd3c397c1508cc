import Diagnosis
import Trace
import Views

/// A run as one HTML file that needs nothing else: lanes, threads, objects, the program and the findings, after each
/// step.
///
/// The page's script computes nothing about the run. It gets the state after the first step and what each further step
/// changes, as `RunModel` has them. A policy in the file forbids everything but this one script and this one style, so
/// that no text of a program can become code, and no page loads anything.
package struct PageReport {
    private let trace: TraceDocument
    private let options: ReportOptions
    private let files: [PageFile]
    private let title: String?

    /// - Parameters:
    ///   - title: the program's own name, if it has one besides that of its file.
    ///   - files: the texts of the program's files, as far as they are known. Of others the page shows the lines that the
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
        let parts = parts
        for piece in PageTemplate.pieces {
            switch piece {
            case .text(let text): sink.write(text)
            case .place(let name): sink.write(parts[name] ?? [])
            }
        }
        sink.flush()
    }

    /// What the places of the template are filled with.
    private var parts: [String: [UInt8]] {
        let outcome = trace.outcome
        let head = outcome?.kind.rawValue ?? "cut off"
        let header = trace.header
        let name = Label(title ?? header.scenario).text
        var details = title == nil || title == header.scenario ? [] : [Label(header.scenario).text]
        details += header.parameters.map { "\($0.name)=\($0.value)" }
        details.append(header.runtime == .native ? "on real threads" : "under the scheduler")
        if let seed = header.seed { details.append("seed \(seed)") }
        var data = ByteSink()
        PageData(trace, files: files, options).write(to: &data)
        return [
            "policy": Array(PageTemplate.policy.utf8), "style": PageTemplate.style, "script": PageTemplate.script,
            "title": Self.escaped("\(name): \(head)"), "name": Self.escaped(name),
            "details": Self.escaped(details.joined(separator: ", ")),
            "tone": Array((outcome?.kind == .completed ? "good" : "bad").utf8),
            "outcome": Self.escaped(head),
            "summary": Self.escaped(outcome?.summary ?? "The trace ends before the run does."),
            "footer": Self.escaped(options.replay.map { "Replay: \($0)" } ?? ""),
            "data": PageTemplate.harmless(data.bytes),
        ]
    }

    private static func escaped(_ text: String) -> [UInt8] { Array(text.escapedForXML.utf8) }
}

/// A file of the program that was run.
package struct PageFile {
    /// As the trace's sites name it.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}

/// The parts of every page: its elements, its style and its script, which are files in the folder `Template`.
enum PageTemplate {
    enum Piece: Equatable {
        case text([UInt8])
        /// Filled in for each page.
        case place(String)
    }

    static var style: [UInt8] { css.text }
    static var script: [UInt8] { js.text }

    private static let css = part("page.css")
    private static let js = part("page.js")

    /// The page's text, and the places in it that are written as `{{name}}`.
    static let pieces: [Piece] = {
        var pieces: [Piece] = []
        var rest = part("page.html").text[...]
        while let begin = rest.firstPair(of: UInt8(ascii: "{")) {
            let after = rest[(begin + 2)...]
            guard let end = after.firstPair(of: UInt8(ascii: "}")) else { break }
            pieces.append(.text(Array(rest[..<begin])))
            pieces.append(.place(String(decoding: after[..<end], as: UTF8.self)))
            rest = rest[(end + 2)...]
        }
        return pieces + [.text(Array(rest))]
    }()

    /// Nothing is loaded, and nothing runs but this script with this style.
    static let policy =
        "default-src 'none'; script-src '\(js.digest)'; style-src '\(css.digest)'; "
        + "base-uri 'none'; form-action 'none'"

    static let policyWithoutScript =
        "default-src 'none'; style-src '\(css.digest)'; base-uri 'none'; form-action 'none'"

    /// A file of the template, and its digest as a policy writes it, which the build has computed.
    private static func part(_ name: String) -> (text: [UInt8], digest: String) {
        guard let file = embeddedFiles.first(where: { $0.path.description.hasSuffix("/" + name) }) else {
            preconditionFailure("\(name) is not embedded")
        }
        return (file.text.withUTF8Buffer { Array($0) }, file.digest.description)
    }

    /// JSON as the content of an element of HTML: a `<` can only be in a string, where it has another spelling.
    static func harmless(_ json: [UInt8]) -> [UInt8] {
        guard json.contains(UInt8(ascii: "<")) else { return json }
        var harmless: [UInt8] = []
        harmless.reserveCapacity(json.count + 64)
        for byte in json {
            if byte == UInt8(ascii: "<") { harmless += "\\u003c".utf8 } else { harmless.append(byte) }
        }
        return harmless
    }
}

extension ArraySlice<UInt8> {
    /// Where the byte first stands twice in a row.
    fileprivate func firstPair(of byte: UInt8) -> Int? {
        indices.dropLast().first { self[$0] == byte && self[$0 + 1] == byte }
    }
}
