import Reports
import Text

/// A page as HTML elements. The page's text is escaped: only Markdown creates elements.
extension MarkdownPage {
    /// - Parameter address: returns the address for a link in the text. Nil: the link is left out, and its words stay.
    package func html(linking address: (String) -> String?) -> String {
        var html = ""
        var list: String?
        for block in blocks {
            let wanted = block.list
            if wanted != list {
                html += (list.map { "</\($0)>\n" } ?? "") + (wanted.map { "<\($0)>\n" } ?? "")
                list = wanted
            }
            html += Self.html(of: block, address) + "\n"
        }
        return html + (list.map { "</\($0)>\n" } ?? "")
    }

    private static func html(of block: Block, _ address: (String) -> String?) -> String {
        switch block {
        case .heading(let level, let text): "<h\(level)>\(safe(text))</h\(level)>"
        case .paragraph(let text): "<p>\(inline(text[...], address))</p>"
        case .item(let text), .numbered(_, let text): "<li>\(inline(text[...], address))</li>"
        case .code(let lines): "<pre><code>\(lines.map { safe($0) + "\n" }.joined())</code></pre>"
        case .table(let rows):
            "<table>"
                + rows.enumerated().map { number, cells in
                    let cell = number == 0 ? "th" : "td"
                    return "<tr>" + cells.map { "<\(cell)>\(safe($0))</\(cell)>" }.joined() + "</tr>"
                }.joined() + "</table>"
        }
    }

    /// A line of Markdown with code, emphasis and links, as HTML.
    package static func inline(_ markdown: Substring, _ address: (String) -> String?) -> String {
        var html = ""
        var rest = markdown
        while let first = rest.first {
            guard "`*[".contains(first) else {
                html += safe(String(rest.removeFirst()))
                continue
            }
            // A sign without a counterpart within the limit stands for itself. Without the limit, the time for a text
            // of many such signs would grow with the square of its length.
            guard let span = MarkdownSpan(rest.prefix(farthest)) else {
                html += safe(String(rest.removeFirst()))
                continue
            }
            switch span.kind {
            case .code: html += "<code>\(safe(String(span.words)))</code>"
            case .strong: html += "<strong>\(inline(span.words, address))</strong>"
            case .emphasis: html += "<em>\(inline(span.words, address))</em>"
            case .link(let target):
                let words = inline(span.words, address)
                html += address(target).map { "<a href=\"\(safe($0))\">\(words)</a>" } ?? words
            }
            rest = rest[span.end...]
        }
        return html
    }

    /// The counterpart of a sign is looked for among this number of characters.
    static let farthest = 400

    private static func safe(_ text: String) -> String { text.printable.escapedForXML }
}

/// Words between two signs of Markdown at the beginning of a text: `` `code` ``, `**strong**`, `*emphasis*` or
/// `[words](target)`.
private struct MarkdownSpan {
    enum Kind {
        case code, strong, emphasis
        case link(String)
    }

    let kind: Kind
    let words: Substring
    /// The index after the closing sign.
    let end: Substring.Index

    /// Nil: the text does not begin with such words.
    init?(_ text: Substring) {
        // The index of the closing sign, if there is at least one character before it.
        func closed(by sign: Character, from start: Substring.Index) -> Substring.Index? {
            text[start...].firstIndex(of: sign).flatMap { $0 > start ? $0 : nil }
        }
        let second = text.index(after: text.startIndex)
        switch text.first {
        case "`":
            guard let close = closed(by: "`", from: second) else { return nil }
            (kind, words, end) = (.code, text[second..<close], text.index(after: close))
        case "*" where text.hasPrefix("**"):
            let start = text.index(after: second)
            guard let close = closed(by: "*", from: start), text[close...].hasPrefix("**") else { return nil }
            (kind, words, end) = (.strong, text[start..<close], text.index(close, offsetBy: 2))
        case "*":
            guard let close = closed(by: "*", from: second), !text[second].isWhitespace else { return nil }
            (kind, words, end) = (.emphasis, text[second..<close], text.index(after: close))
        case "[":
            guard let close = closed(by: "]", from: second), text[close...].hasPrefix("](") else { return nil }
            let start = text.index(close, offsetBy: 2)
            guard let last = closed(by: ")", from: start), !text[start..<last].contains(where: \.isWhitespace) else {
                return nil
            }
            kind = .link(String(text[start..<last]))
            (words, end) = (text[second..<close], text.index(after: last))
        default: return nil
        }
    }
}

extension MarkdownPage.Block {
    /// The HTML element of the list to which the block belongs. Nil: it does not belong to a list.
    fileprivate var list: String? {
        switch self {
        case .item: "ul"
        case .numbered: "ol"
        case .heading, .paragraph, .code, .table: nil
        }
    }
}
