import Arguments
import Library
import Text

/// A page of Markdown, of docs/ or of a course, read as blocks. As text for a terminal, paragraphs, lists and tables
/// are set to the width, and code is left as it is.
package struct MarkdownPage {
    private(set) var blocks: [Block] = []

    enum Block {
        case heading(level: Int, String)
        case paragraph(String)
        case item(String)
        /// The number, and the text.
        case numbered(String, String)
        case code([String])
        case table([[String]])
    }

    package init(_ markdown: String) {
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

    /// Whether the next line can continue the last block.
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
        } else if let item = text.wholeMatch(of: /(\d{1,3}\.) +(.+)/) {
            blocks.append(.numbered(String(item.1), String(item.2)))
            isOpen = true
        } else if isOpen, let last = blocks.popLast() {
            blocks.append(last.continued(by: text))
        } else {
            blocks.append(.paragraph(String(text)))
            isOpen = true
        }
    }

    /// Adds a row to the table, or begins a table. `\|` is a bar in a cell. The line of dashes below the head is
    /// skipped.
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

    package func text(width: Int) -> String {
        let layout = Layout(width: width)
        var lines: [String] = []
        var wasItem = false
        for block in blocks {
            let isItem = block.isItem
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
        case .numbered(let number, let text): layout.columns([(number, plain(text[...]))])
        case .code(let lines): lines.map { $0.isEmpty ? "" : "    " + $0.printable }
        case .table(let rows):
            layout.columns(rows.enumerated().flatMap { lines(of: $1, isHead: $0 == 0, head: rows[0]) })
        }
    }

    /// The lines of a table's row in two columns. A further cell has a line of its own, with the title of its column,
    /// or is added to the second column if its column has no title.
    private static func lines(of cells: [String], isHead: Bool, head: [String]) -> [(left: String, right: String)] {
        let further = cells.indices.dropFirst(2).filter { !isHead && head.indices.contains($0) && !cells[$0].isEmpty }
        let titled = further.filter { !head[$0].isEmpty }
        let untitled = further.filter { head[$0].isEmpty }.map { cells[$0] }
        let first = (cells.first ?? "", (cells.dropFirst().prefix(1) + untitled).joined(separator: " | "))
        return [first] + titled.map { ("", "\(head[$0]): \(cells[$0])") }
    }

    /// The text without marks for emphasis and links. Code is in quotation marks, and a page is named by the command
    /// that shows it.
    private static func plain(_ markdown: Substring) -> String {
        var text = ""
        var isCode = false
        // The length of the text before a link's label.
        var linkStart = 0
        var rest = markdown
        while let character = rest.popFirst() {
            if character == "`" {
                isCode.toggle()
                text += "'"
            } else if isCode {
                text.append(character)
            } else if character == "]", rest.hasPrefix("("), let end = rest.prefix(farthest).firstIndex(of: ")") {
                let target = rest[rest.index(after: rest.startIndex)..<end]
                if target.hasPrefix("http") { text += " <\(target)>" }
                if let command = HelpPages.command(for: target) {
                    let isFile = text.dropFirst(linkStart).hasSuffix(".md")
                    text = isFile ? text.prefix(linkStart) + command : "\(text) (\(command))"
                }
                rest = rest[rest.index(after: end)...]
            } else if character == "*" {
                // An asterisk between blanks does not mark emphasis.
                if text.last == " ", rest.first == " " { text.append(character) }
            } else if character == "[" {
                linkStart = text.count
            } else {
                text.append(character)
            }
        }
        return text
    }

    private static func plain(_ markdown: String) -> String { plain(markdown[...]) }
}

extension MarkdownPage.Block {
    /// Whether it is part of a list.
    var isItem: Bool {
        switch self {
        case .item, .numbered: true
        case .heading, .paragraph, .code, .table: false
        }
    }

    /// The block with a further line of its text.
    fileprivate func continued(by line: Substring) -> Self {
        switch self {
        case .paragraph(let text): .paragraph(text + " " + line)
        case .item(let text): .item(text + " " + line)
        case .numbered(let number, let text): .numbered(number, text + " " + line)
        case .heading, .code, .table: self
        }
    }
}

/// The pages of docs/ that `help` shows.
package enum HelpPages {
    package static let words: [KnownWord] = [
        KnownWord("language", "The .lab language: a tutorial, and the reference"),
        KnownWord("tasks", "Exercises: writing a task, and judging submissions"),
        KnownWord("guide", "The threading guide, idea by idea, with the program that shows it"),
        KnownWord("choosing", "Of 'guide': when to use which of threads, queues, run loops, ways to communicate"),
        KnownWord("courses", "The course, and how to write one: lessons, questions, exercises"),
        KnownWord("usage", "The commands by example, the two runtimes, exit codes"),
        KnownWord("exploration", "Using a search: results, assumptions, strategies"),
        KnownWord("proofs", "Why a search is right, and what a proof says"),
        KnownWord("views", "A run as a page, as a graph, on slides, in other viewers, and while it lasts"),
        KnownWord("stepping", "Of 'views': how 'play' is used, its keys and its commands"),
        KnownWord("diagnosis", "The detectors: what each finds, and what it cannot find"),
        KnownWord("semantics", "What the primitives mean, and where other systems differ"),
        KnownWord("thread-safety", "From where each type of the primitives may be used"),
        KnownWord("weak-memory", "What processors and compilers may reorder, under which model, and on this machine"),
        KnownWord("volatile", "What volatile means in C, C++, Java and C#, and what to use"),
        KnownWord("foundation", "What Foundation does differently on Linux"),
        KnownWord("editors", "The language server, and how to set up Neovim, VS Code and others"),
        KnownWord("ci", "threadlab in CI scripts"),
        KnownWord("scale", "Of 'ci': one check, or one search, on many machines"),
        KnownWord("strangers", "What is safe with files from elsewhere, and what is not"),
        KnownWord("trace-format", "The format of saved traces"),
    ]

    /// Words of `help` for a part of a page: the page, and the part's heading.
    package static let parts: [String: (page: String, heading: String)] = [
        "choosing": ("guide", "When to use which"), "stepping": ("views", "Stepping"), "scale": ("ci", "Many machines"),
    ]

    /// The command that shows a page, in quotation marks. Nil: `help` does not have the page.
    ///
    /// - Parameter file: the page's file, with or without the folder `docs`, and perhaps with a heading in the page.
    static func command(for file: some StringProtocol) -> String? {
        let path = file.prefix { $0 != "#" }
        guard path.hasSuffix(".md") else { return nil }
        let page = String((path.hasPrefix("docs/") ? path.dropFirst("docs/".count) : path[...]).dropLast(".md".count))
        return words.contains { $0.text == page } ? "'threadlab help \(page)'" : nil
    }

    /// The text with the name of each page that `help` shows replaced by the command that shows it.
    static func named(in text: String) -> String {
        text.replacing(/docs\/[a-z-]+\.md/) { command(for: $0.output) ?? String($0.output) }
    }

    /// The page that `help` shows for a word. Nil: there is none.
    package static func text(of word: String, width: Int) -> String? {
        let part = parts[word]
        guard let page = Library.text(of: "docs/\(part?.page ?? word).md") else { return nil }
        guard let heading = part?.heading else { return MarkdownPage(page).text(width: width) }
        return section(heading, of: page).map { MarkdownPage($0).text(width: width) }
    }

    /// The section of a page with this heading of the second level.
    private static func section(_ heading: String, of page: String) -> String? {
        guard let start = page.firstRange(of: "\n## \(heading)\n") else { return nil }
        let end = page[start.upperBound...].firstRange(of: "\n## ")?.lowerBound ?? page.endIndex
        return String(page[page.index(after: start.lowerBound)..<end])
    }
}
