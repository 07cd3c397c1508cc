import Trace

/// A kind of HTML page: its elements, styles and scripts. They are files in the folder `Template`, which the build has
/// made part of the tool.
///
/// A content security policy in the page allows only these styles and scripts, by their digests.
struct PageTemplate: Sendable {
    enum Piece: Equatable {
        case text([UInt8])
        /// A place that is filled in for each page.
        case place(String)
    }

    private typealias File = (text: [UInt8], digest: String)

    /// The page of a run. Pages without a script have its style.
    static let run = PageTemplate("page.html", styles: ["colors.css", "page.css"], scripts: ["page.js"])

    private let pieces: [Piece]
    private let styles: [File]
    private let scripts: [File]

    init(_ elements: String, styles: [String], scripts: [String]) {
        pieces = Self.pieces(of: Self.file(elements).text)
        self.styles = styles.map(Self.file)
        self.scripts = scripts.map(Self.file)
    }

    /// - Parameter parts: the values for all places except `policy`, `styles` and `scripts`.
    func write(_ parts: [String: [UInt8]], to sink: inout ByteSink) {
        for piece in pieces {
            switch piece {
            case .text(let text): sink.write(text)
            case .place("policy"): sink.write(policy)
            case .place("styles"): writeStyles(to: &sink)
            case .place("scripts"):
                for script in scripts { Self.write(script, "script", to: &sink) }
            case .place(let name): sink.write(parts[name] ?? [])
            }
        }
        sink.flush()
    }

    func writeStyles(to sink: inout ByteSink) {
        for style in styles { Self.write(style, "style", to: &sink) }
    }

    private static func write(_ file: File, _ element: String, to sink: inout ByteSink) {
        sink.write("<\(element)>")
        sink.write(file.text)
        sink.write("</\(element)>\n")
    }

    // MARK: - The policy

    /// Allows only these scripts and styles, and no loading.
    private var policy: String { policy(allowing: "script-src \(Self.list(scripts)); ") }

    var policyWithoutScript: String { policy(allowing: "") }

    private func policy(allowing scripts: String) -> String {
        "default-src 'none'; \(scripts)style-src \(Self.list(styles)); base-uri 'none'; form-action 'none'"
    }

    private static func list(_ files: [File]) -> String {
        files.map { "'\($0.digest)'" }.joined(separator: " ")
    }

    // MARK: - Files

    /// The page's text, and its places, which are written as `{{name}}`.
    private static func pieces(of text: [UInt8]) -> [Piece] {
        var pieces: [Piece] = []
        var rest = text[...]
        while let begin = rest.firstPair(of: UInt8(ascii: "{")) {
            let after = rest[(begin + 2)...]
            guard let end = after.firstPair(of: UInt8(ascii: "}")) else { break }
            pieces.append(.text(Array(rest[..<begin])))
            pieces.append(.place(String(decoding: after[..<end], as: UTF8.self)))
            rest = rest[(end + 2)...]
        }
        return pieces + [.text(Array(rest))]
    }

    /// A file of the template, and its digest in the form of a policy, which the build has computed.
    private static func file(_ name: String) -> File {
        guard let file = embeddedFiles.first(where: { $0.path.description.hasSuffix("/Template/" + name) }) else {
            preconditionFailure("\(name) is not embedded")
        }
        return (file.text.withUTF8Buffer { Array($0) }, file.digest.description)
    }

    /// JSON made safe as the content of an HTML element. A `<` can only occur in a string, where it is escaped.
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
    /// The index where the byte first occurs twice in a row.
    fileprivate func firstPair(of byte: UInt8) -> Int? {
        indices.dropLast().first { self[$0] == byte && self[$0 + 1] == byte }
    }
}
