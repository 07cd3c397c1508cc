/// The parts of every page: its elements, its style and its script, which are files beside this one.
enum PageTemplate {
    enum Piece: Equatable {
        case text([UInt8])
        /// Filled in for each page.
        case place(String)
    }

    static let style = PackageResources.page_css
    static let script = PackageResources.page_js

    /// The page's text, and the places in it that are written as `{{name}}`.
    static let pieces: [Piece] = {
        var pieces: [Piece] = []
        var rest = PackageResources.page_html[...]
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
        "default-src 'none'; script-src '\(digest(script))'; style-src '\(digest(style))'; "
        + "base-uri 'none'; form-action 'none'"

    static let policyWithoutScript =
        "default-src 'none'; style-src '\(digest(style))'; base-uri 'none'; form-action 'none'"

    static func digest(_ bytes: [UInt8]) -> String { "sha256-\(SHA256.digest(bytes).base64)" }

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
