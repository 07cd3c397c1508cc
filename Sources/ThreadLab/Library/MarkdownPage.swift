import Arguments
import Library
import Text

/// A page of docs/ as text for a terminal: paragraphs, lists and tables are set to the width; code is left as it is.
struct MarkdownPage {
    private var blocks: [Block] = []

    fileprivate enum Block {
        case heading(level: Int, String)
        case paragraph(String)
        case item(String)
        case code([String])
        case table([[String]])
    }

    init(_ markdown: String) {
        var code: [String]?
        for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let lines = code { blocks.append(.code(lines)) }
                code = code == nil ? [] : nil
                isOpen = false
            } else if code != nil {
                code?.append(String(line))
            } else {
                read(line)
            }
        }
    }

    /// Whether the next line may continue the last block.
    private var isOpen = false

    private mutating func read(_ line: Substring) {
        let text = line.drop { $0 == " " }
        // A comment is for the page's authors.
        guard !text.isEmpty, !text.hasPrefix("<!--") else {
            isOpen = false
            return
        }
        if text.hasPrefix("#") {
            let level = text.prefix { $0 == "#" }.count
            blocks.append(.heading(level: level, Self.plain(text.dropFirst(level + 1))))
            isOpen = false
        } else if text.hasPrefix("|") {
            addRow(text)
        } else if text.hasPrefix("- ") {
            blocks.append(.item(String(text.dropFirst(2))))
            isOpen = true
        } else if isOpen, let last = blocks.popLast() {
            blocks.append(last.continued(by: text))
        } else {
            blocks.append(.paragraph(String(text)))
            isOpen = true
        }
    }

    private mutating func addRow(_ line: Substring) {
        let cells = line.replacing("\\|", with: "\u{1}").split(separator: "|", omittingEmptySubsequences: false)
            .dropFirst().dropLast().map { Self.plain($0.trimmed.replacing("\u{1}", with: "|")) }
        if cells.allSatisfy({ $0.allSatisfy { $0 == "-" || $0 == ":" } }) { return }
        if isOpen, case .table(let rows)? = blocks.last {
            blocks[blocks.count - 1] = .table(rows + [cells])
        } else {
            blocks.append(.table([cells]))
            isOpen = true
        }
    }

    // MARK: - As text

    func text(width: Int) -> String {
        let layout = Layout(width: width)
        var lines: [String] = []
        var wasItem = false
        for block in blocks {
            var isItem = false
            if case .item = block { isItem = true }
            if !lines.isEmpty, !(isItem && wasItem) { lines.append("") }
            lines += Self.lines(of: block, layout)
            wasItem = isItem
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func lines(of block: Block, _ layout: Layout) -> [String] {
        switch block {
        case .heading(let level, let text): layout.wrap(level <= 2 ? text.uppercased() : text)
        case .paragraph(let text): layout.wrap(plain(text[...]))
        case .item(let text): layout.columns([("-", plain(text[...]))])
        case .code(let lines): lines.map { $0.isEmpty ? "" : "    " + $0 }
        case .table(let rows):
            layout.columns(
                rows.map { cells in
                    (cells.first ?? "", cells.dropFirst().filter { !$0.isEmpty }.joined(separator: " | "))
                })
        }
    }

    /// Without the marks for emphasis and links. Code is in quotation marks.
    private static func plain(_ markdown: Substring) -> String {
        var text = ""
        var isCode = false
        var rest = markdown
        while let character = rest.popFirst() {
            if character == "`" {
                isCode.toggle()
                text += "'"
            } else if isCode {
                text.append(character)
            } else if character == "]", rest.hasPrefix("("), let end = rest.firstIndex(of: ")") {
                let target = rest[rest.index(after: rest.startIndex)..<end]
                if target.hasPrefix("http") { text += " <\(target)>" }
                rest = rest[rest.index(after: end)...]
            } else if character == "*" {
                // Between blanks it is no mark for emphasis.
                if text.last == " ", rest.first == " " { text.append(character) }
            } else if character != "[" {
                text.append(character)
            }
        }
        return text
    }

    private static func plain(_ markdown: String) -> String { plain(markdown[...]) }
}

extension MarkdownPage.Block {
    fileprivate func continued(by line: Substring) -> Self {
        switch self {
        case .paragraph(let text): .paragraph(text + " " + line)
        case .item(let text): .item(text + " " + line)
        case .heading, .code, .table: self
        }
    }
}

/// The pages of docs/ that `help` shows.
enum HelpPages {
    static let words: [KnownWord] = [
        KnownWord("language", "The .lab language: a tutorial, and the reference"),
        KnownWord("guide", "The threading guide, idea by idea, with the program that shows it"),
        KnownWord("exploration", "How 'explore' searches, and what its results mean"),
        KnownWord("stepping", "How 'play' is used: its screen, its keys and its commands"),
        KnownWord("diagnosis", "The detectors: what each finds, and what it cannot find"),
        KnownWord("semantics", "What the primitives mean, case by case"),
        KnownWord("thread-safety", "From where each type of the primitives may be used"),
        KnownWord("foundation", "What Foundation does differently on Linux"),
        KnownWord("ci", "threadlab in CI scripts"),
        KnownWord("views", "A run as a page to step through"),
        KnownWord("trace-format", "The format of saved traces"),
    ]

    static func text(of page: String, width: Int) -> String? {
        Library.text(of: "docs/\(page).md").map { MarkdownPage($0).text(width: width) }
    }
}
