import Support
import Testing

/// The language of documents, programs and help: plain technical English, without the idioms in `Idiom.rejected`.
@Suite struct ProseTests {
    static let documents =
        ["README.md", "CONTRIBUTING.md", "scenarios/README.md"] + Repository.paths(in: "docs", ending: ".md").sorted()
    static let programs = Repository.paths(in: "scenarios", ending: ".lab").sorted()

    /// Folders whose string literals and comments are checked.
    ///
    /// Still to come, one after the other, as their texts are rewritten: Arguments, Authoring, Diagnosis, Execution,
    /// Exploration, LabExecution, LabProgram, LabSyntax, Machine, Primitives, Recipes, Reports, Scenarios, Supervision, Text,
    /// Trace, and in ThreadLab all but the folders here.
    static let rooms = ["Sources/ThreadLab/Glossary"]

    /// Commands whose `help` is checked. Still to come: all others.
    static let commands = ["list", "trace", "replay", "completion", "help", "format", "new"]

    @Test(arguments: documents) func `a document has plain words`(path: String) throws {
        try check(prose(of: Repository.text(of: path) ?? ""), path)
    }

    @Test(arguments: programs) func `a program's words are plain`(path: String) throws {
        try check(lines(of: Repository.text(of: path) ?? ""), path)
    }

    @Test(arguments: commands) func `a command's help has plain words`(command: String) throws {
        try check(lines(of: threadlab("help", command).wide.run().succeeds().output), "help \(command)")
    }

    @Test func `the overview of the commands has plain words`() throws {
        try check(lines(of: threadlab("help").wide.run().succeeds().output), "help")
    }

    @Test(arguments: rooms) func `a room's texts have plain words`(folder: String) throws {
        for path in Repository.paths(in: folder, ending: ".swift") {
            let lines = lines(of: Repository.text(of: path) ?? "")
            try check(lines.filter { $0.text.contains("\"") || $0.text.contains("//") }, path)
        }
    }

    @Test func `an idiom is found as a word, and not in names`() throws {
        #expect(try Idiom.uses(in: "They wait for ever, and nobody is told.").count == 3)
        #expect(try Idiom.uses(in: "[nobody-joins](shutdown/nobody-joins.lab) runs forever") == [])
    }

    // MARK: - What is checked

    private struct Line {
        var number: Int
        var text: String
    }

    private func check(_ lines: [Line], _ path: String) throws {
        for line in lines {
            for use in try Idiom.uses(in: line.text) { Issue.record("\(path):\(line.number): \(use)") }
        }
    }

    private func lines(of text: String) -> [Line] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            .map { Line(number: $0.offset + 1, text: String($0.element)) }
    }

    /// The lines of a Markdown text, without code.
    private func prose(of text: String) -> [Line] {
        var isCode = false
        return lines(of: text).compactMap { line in
            if line.text.drop(while: \.isWhitespace).hasPrefix("```") {
                isCode.toggle()
                return nil
            }
            return isCode ? nil : Line(number: line.number, text: line.text.replacing(/`[^`]*`/, with: "`…`"))
        }
    }
}
