import Support
import Testing

/// The language of documents, programs and help: plain technical English, without the idioms in `Idiom.rejected`.
@Suite struct ProseTests {
    static let documents =
        ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "scenarios/README.md"]
        + Repository.paths(in: "docs", ending: ".md").sorted()
    static let programs = Repository.paths(in: "scenarios", ending: ".lab").sorted()

    /// Folders whose string literals and comments are checked.
    ///
    /// Still to come, one after the other, as their texts are rewritten: Arguments, Authoring, Diagnosis, Execution,
    /// Exploration, LabExecution, LabProgram, LabSyntax, Machine, Primitives, Recipes, Reports, Scenarios, Supervision, Text,
    /// Trace, and in ThreadLab all but the folders here.
    static let rooms = ["Sources/ThreadLab/Glossary"]

    static let commands = [
        "check", "completion", "diagnose", "explain", "explore", "format", "help", "list", "new", "replay", "run",
        "show",
        "trace",
    ]

    @Test(arguments: documents) func `a document has plain words`(path: String) throws {
        try check(prose(of: Repository.text(of: path) ?? ""), path)
    }

    @Test(arguments: programs) func `a program's words are plain`(path: String) throws {
        try check(Repository.text(of: path) ?? "", path)
    }

    @Test(arguments: commands) func `a command's help has plain words`(command: String) throws {
        try check(threadlab("help", command).wide.run().succeeds().output, "help \(command)")
    }

    @Test(arguments: rooms) func `a room's texts have plain words`(folder: String) throws {
        for path in Repository.paths(in: folder, ending: ".swift") {
            try check(Repository.text(of: path) ?? "", path)
        }
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
