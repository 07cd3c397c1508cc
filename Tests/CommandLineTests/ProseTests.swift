import Support
import Testing

/// The language of documents, programs and help: plain technical English, without the idioms in `Idiom.rejected`.
@Suite struct ProseTests {
    static let documents =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "scenarios/README.md"]
        + Repository.paths(in: "docs", ending: ".md").sorted() + ExampleTests.tables
    static let programs = Repository.paths(in: "scenarios", ending: ".lab").sorted()
    static let sources = [".swift", ".c", ".h"].flatMap { Repository.paths(in: "Sources", ending: $0) }.sorted()

    /// The rooms of the house. Their comments and string literals are checked.
    static let rooms = Set(sources.compactMap { $0.split(separator: "/").dropFirst().first.map(String.init) }).sorted()

    @Test(arguments: documents) func `a document has plain words`(path: String) throws {
        try check(prose(of: Repository.text(of: path) ?? ""), path)
    }

    @Test(arguments: programs) func `a program's words are plain`(path: String) throws {
        try check(Repository.text(of: path) ?? "", path)
    }

    @Test(arguments: CommandTests.commands) func `a command's help has plain words`(command: String) throws {
        try check(threadlab("help", command).wide.run().succeeds().output, "help \(command)")
    }

    @Test(arguments: rooms) func `a room's comments and messages have plain words`(room: String) throws {
        for path in Self.sources where path.hasPrefix("Sources/\(room)/") {
            try check(SourceProse.text(of: Repository.text(of: path) ?? ""), path)
        }
    }

    @Test func `every room is checked`() {
        #expect(Self.rooms.count > 20 && Self.rooms.contains("Machine") && Self.rooms.contains("CLab"))
    }

    @Test func `prose is comments and strings, line by line, without code`() {
        let source = """
            let whoever = 1  // told `whoever` it is
            say("nobody \\(count(of: "so many", whoever)) here", #"a \\ "circle""#)
            """
        #expect(
            SourceProse.text(of: source).split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
                == ["// told it is", #"nobody so many here a \ "circle""#])
    }

    @Test func `an idiom is found as a word, and not in names`() throws {
        #expect(try Idiom.uses(in: "They wait for ever,\nand nobody is told.").map(\.line) == [0, 1, 1])
        #expect(try Idiom.uses(in: "[nobody-joins](shutdown/nobody-joins.lab) runs forever").isEmpty)
    }

    // MARK: - What is checked

    private func check(_ text: String, _ path: String) throws {
        for use in try Idiom.uses(in: text) { Issue.record("\(path):\(use.line + 1): \(use.advice)") }
    }

    /// The Markdown text without its code; the lines keep their numbers.
    private func prose(of text: String) -> String {
        var isCode = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line -> String in
            let isFence = line.drop(while: \.isWhitespace).hasPrefix("```")
            if isFence { isCode.toggle() }
            return isFence || isCode ? "" : String(line.replacing(/`[^`]*`/, with: "`…`"))
        }
        return lines.joined(separator: "\n")
    }
}
