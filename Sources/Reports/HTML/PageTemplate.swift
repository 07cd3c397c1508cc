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
