import Text

/// Divides a Markdown text into code blocks and the text between them.
struct MarkdownParts {
    enum Part: Equatable {
        /// The lines of text between code blocks.
        case text([Substring])
        /// A code block: the text after its opening back quotes, and its lines.
        case block(kind: Substring, lines: [Substring])
    }

    /// The parts, each with the number of its first line, from 1.
    private(set) var parts: [(part: Part, line: Int)] = []
    /// The number of the line with which a block begins that has no end. Nil: there is none.
    private(set) var openBlock: Int?

    private static let fence = "```"

    init(_ lines: ArraySlice<Substring>) {
        var text: [Substring] = []
        var block: (kind: Substring, lines: [Substring], start: Int)?
        func isBlank(_ lines: [Substring]) -> Bool { lines.allSatisfy { $0.allSatisfy(\.isWhitespace) } }
        for (index, line) in zip(lines.indices, lines) {
            if let open = block {
                if line == Self.fence {
                    parts.append((.block(kind: open.kind, lines: open.lines), open.start))
                    block = nil
                } else {
                    block?.lines.append(line)
                }
            } else if line.hasPrefix(Self.fence) {
                if !isBlank(text) { parts.append((.text(text), index + 1 - text.count)) }
                text = []
                block = (line.dropFirst(Self.fence.count), [], index + 1)
            } else {
                text.append(line)
            }
        }
        if !isBlank(text) { parts.append((.text(text), lines.endIndex + 1 - text.count)) }
        openBlock = block?.start
    }
}

/// The head of a page of a course: its title, and fields such as `Minutes: 12` before the first paragraph.
struct PageHead {
    let title: Substring
    /// The fields, each with the number of its line, from 1.
    private(set) var fields: [(name: Substring, value: Substring, line: Int)] = []
    /// The index of the first line of the text after the head.
    private(set) var end: Int

    /// Nil: the page does not begin with a title.
    ///
    /// - Parameter known: the names of the fields. Another line with a colon begins the text.
    init?(_ lines: [Substring], fields known: [String]) {
        guard let start = lines.firstIndex(where: { !$0.isBlank }), lines[start].hasPrefix("# ") else { return nil }
        title = lines[start].dropFirst(2).trimmed
        end = start + 1
        while end < lines.count {
            let line = lines[end]
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, known.contains(String(parts[0])) {
                fields.append((parts[0], parts[1].trimmed, end + 1))
            } else if !line.isBlank {
                return
            }
            end += 1
        }
    }

    subscript(_ name: String) -> (value: Substring, line: Int)? {
        fields.last { $0.name == name }.map { ($0.value, $0.line) }
    }
}

extension Substring {
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
