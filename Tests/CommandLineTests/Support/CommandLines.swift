/// The command lines in a text.
enum CommandLines {
    /// Of Markdown: the lines of code blocks that begin with the tool's name, without what explains them.
    static func inBlocks(of markdown: String) -> [String] {
        var isCode = false
        return markdown.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
            if line.hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            let text = line.hasPrefix("$ ") ? line.dropFirst(2) : line
            return isCode && text.hasPrefix("threadlab ") ? withoutComment(text) : nil
        }
    }

    /// Of a page on the terminal: the indented lines that begin with the tool's name and a command.
    static func indented(in page: String) -> [String] {
        page.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ").map(String.init)
            guard line.hasPrefix("  threadlab "), words.count > 1, CommandTests.commands.contains(words[1]) else {
                return nil
            }
            return withoutComment(line.dropFirst(2))
        }
    }

    /// A comment stands two columns apart.
    private static func withoutComment(_ line: Substring) -> String {
        line.firstRange(of: "  ").map { String(line[..<$0.lowerBound]) } ?? String(line)
    }
}
