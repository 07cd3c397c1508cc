/// An element of a strictly read document: as much of XML 1.0 as reports need, and a problem for the rest.
struct XMLElement {
    var name: String
    var attributes: [String: String] = [:]
    var children: [XMLElement] = []
    /// All text directly in it.
    var text = ""

    static func parse(_ document: String) throws(XMLProblem) -> XMLElement {
        var reader = XMLReader(document)
        return try reader.document()
    }
}

struct XMLProblem: Error {
    let message: String
}

private struct XMLReader {
    private var rest: Substring.UnicodeScalarView

    init(_ document: String) { rest = Substring(document).unicodeScalars }

    private func problem(_ what: String) -> XMLProblem { XMLProblem(message: "\(what) before '\(rest.prefix(20))'") }

    mutating func document() throws(XMLProblem) -> XMLElement {
        if take("<?xml ") { while !take("?>") { _ = try scalar() } }
        skipSpace()
        let root = try element()
        skipSpace()
        guard rest.isEmpty else { throw problem("something follows the root") }
        return root
    }

    private mutating func element() throws(XMLProblem) -> XMLElement {
        guard take("<") else { throw problem("no element") }
        var element = XMLElement(name: try name())
        while true {
            let hasSpace = skipSpace()
            if take("/>") { return element }
            if take(">") { break }
            guard hasSpace else { throw problem("no space between attributes") }
            let key = try name()
            guard take("="), let quote = rest.popFirst(), quote == "\"" || quote == "'" else {
                throw problem("no value for \(key)")
            }
            var value = ""
            while rest.first != quote {
                guard rest.first != "<" else { throw problem("< in an attribute") }
                value.unicodeScalars.append(try scalarOrReference())
            }
            rest.removeFirst()
            guard element.attributes.updateValue(value, forKey: key) == nil else { throw problem("two \(key)") }
        }
        while !take("</") {
            guard !rest.starts(with: "]]>".unicodeScalars) else { throw problem("]]> in text") }
            if rest.first == "<" {
                element.children.append(try self.element())
            } else {
                element.text.unicodeScalars.append(try scalarOrReference())
            }
        }
        guard try name() == element.name, take(">") else { throw problem("\(element.name) is not closed") }
        return element
    }

    private mutating func name() throws(XMLProblem) -> String {
        let name = String(rest.prefix { $0.properties.isAlphabetic || "-_.:0123456789".unicodeScalars.contains($0) })
        guard !name.isEmpty else { throw problem("no name") }
        rest.removeFirst(name.unicodeScalars.count)
        return name
    }

    private mutating func scalarOrReference() throws(XMLProblem) -> Unicode.Scalar {
        let references: [(String, Unicode.Scalar)] = [
            ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#10;", "\n"),
        ]
        for (text, scalar) in references where take(text) { return scalar }
        guard rest.first != "&" else { throw problem("an unknown reference") }
        return try scalar()
    }

    /// One that XML allows.
    private mutating func scalar() throws(XMLProblem) -> Unicode.Scalar {
        guard let scalar = rest.first else { throw problem("the end comes") }
        switch scalar.value {
        case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: rest.removeFirst()
        default: throw problem("a character that XML does not have")
        }
        return scalar
    }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest.removeFirst(text.unicodeScalars.count)
        return true
    }

    @discardableResult private mutating func skipSpace() -> Bool {
        let count = rest.prefix { $0.properties.isWhitespace }.count
        rest.removeFirst(count)
        return count > 0
    }
}
