import Reports
import Text

/// A page as elements of HTML. What the page says is text: none of it becomes an element that Markdown does not name.
extension MarkdownPage {
    /// - Parameter address: the address of a link, from that in the text. Nil: the link is left out, and its words stay.
    func html(linking address: (String) -> String?) -> String {
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

    /// Words with code, emphasis and links in them.
    static func inline(_ markdown: Substring, _ address: (String) -> String?) -> String {
        var html = ""
        var rest = markdown
        while !rest.isEmpty {
            if let code = rest.prefixMatch(of: /`([^`]+)`/) {
                html += "<code>\(safe(String(code.1)))</code>"
                rest = rest[code.range.upperBound...]
            } else if let strong = rest.prefixMatch(of: /\*\*([^*]+)\*\*/) {
                html += "<strong>\(inline(strong.1, address))</strong>"
                rest = rest[strong.range.upperBound...]
            } else if let emphasis = rest.prefixMatch(of: /\*([^*\s][^*]*)\*/) {
                html += "<em>\(inline(emphasis.1, address))</em>"
                rest = rest[emphasis.range.upperBound...]
            } else if let link = rest.prefixMatch(of: /\[([^\]]+)\]\(([^)\s]+)\)/) {
                let words = inline(link.1, address)
                html += address(String(link.2)).map { "<a href=\"\(safe($0))\">\(words)</a>" } ?? words
                rest = rest[link.range.upperBound...]
            } else {
                html += safe(String(rest.removeFirst()))
            }
        }
        return html
    }

    private static func safe(_ text: String) -> String { text.printable.escapedForXML }
}

extension MarkdownPage.Block {
    /// The element of the list that it is in.
    fileprivate var list: String? {
        switch self {
        case .item: "ul"
        case .numbered: "ol"
        case .heading, .paragraph, .code, .table: nil
        }
    }
}
