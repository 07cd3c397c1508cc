import Authoring
import Diagnosis
import Glibc
import Scenarios
import Support
import Testing

/// Every command line that help, pages and explanations print, run as a reader types it: in the order of the text, in a
/// folder that holds nothing but `scenarios`.
@Suite struct ExampleTests {
    /// A text, and the command lines in it.
    struct Source: CustomTestStringConvertible {
        let name: String
        let lines: [String]

        var testDescription: String { name }
    }

    static let pages =
        ["README.md", "CONTRIBUTING.md", "scenarios/README.md", "editors/README.md"]
        + Repository.paths(in: "docs", ending: ".md").sorted() + tables

    /// The tables to which the pages of docs/ link.
    static let tables = ["Tests/Goldens", "Tests/Benchmarks"].flatMap {
        Repository.paths(in: $0, ending: ".md").sorted()
    }

    /// Pages with at least one command line.
    static let documents: [Source] = pages.compactMap { path in
        let lines = CommandLines.inBlocks(of: Repository.text(of: path) ?? "")
        return lines.isEmpty ? nil : Source(name: path, lines: lines)
    }

    @Test(arguments: documents) func `the command lines of a page work one after the other`(_ page: Source) throws {
        let reader = try Reader()
        for line in page.lines { try reader.type(line) }
    }

    @Test(arguments: CommandTests.commands) func `the examples of a command's help work`(command: String) throws {
        let help = try threadlab("help", command).wide.run().succeeds().output
        let reader = try Reader()
        // Examples may name files that a reader would have.
        try reader.type("threadlab new queue")
        try reader.type("threadlab run shutdown --save failure.trace")
        for line in CommandLines.indented(in: help) { try reader.type(line) }
    }

    @Test(
        arguments: Extent.part(of: CommandTests.scenarios, every: 4)
            + ["lost-update", "bounded-buffer", "unheard-signal", "santa"])
    func `what show suggests works`(scenario: String) throws {
        let page = try threadlab("show", scenario).wide.run().succeeds().output
        let lines = CommandLines.indented(in: page)
        #expect(!lines.isEmpty)
        let reader = try Reader()
        for line in lines { try reader.type(line) }
    }

    @Test(arguments: Catalogue.builtIn.indices) func `the commands in a lesson work`(index: Int) throws {
        let scenario = Catalogue.builtIn[index]
        let lesson = scenario.lesson.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let reader = try Reader()
        for match in lesson.matches(of: /[`'](run [a-z][^`']*)[`']/) { try reader.type("threadlab \(match.output.1)") }
    }

    @Test func `what the tool suggests when it is started without a command works`() throws {
        let page = try threadlab().run().succeeds().output
        let lines = CommandLines.indented(in: page)
        #expect(lines.count > 8)
        let reader = try Reader()
        for line in lines { try reader.type(line) }
    }

    @Test(arguments: FindingCode.allCases) func `what an explanation suggests works`(code: FindingCode) throws {
        let page = try threadlab("explain", code.rawValue).wide.run().succeeds().output
        let lines = CommandLines.indented(in: page)
        #expect(lines.count >= 3)
        let reader = try Reader()
        for line in lines { try reader.type(line) }
    }

    @Test(arguments: pages) func `every link between pages leads to a file and a heading that exist`(page: String)
        throws
    {
        let text = try #require(Repository.text(of: page))
        let folder = page.split(separator: "/").dropLast().map(String.init)
        for match in text.matches(of: /\]\(([^)\s]+)\)/) where !match.output.1.contains("://") {
            let parts = match.output.1.split(separator: "#", omittingEmptySubsequences: false).map(String.init)
            let path = parts[0].isEmpty ? page : Self.resolved(folder, parts[0])
            #expect(access("\(Repository.root)/\(path)", F_OK) == 0, "\(page): \(match.output.1)")
            guard parts.count > 1 else { continue }
            let headings = (Repository.text(of: path) ?? "").split(separator: "\n").filter { $0.hasPrefix("#") }
            #expect(headings.map(Self.anchor).contains(parts[1]), "\(page): \(match.output.1)")
        }
    }

    private static func resolved(_ folder: [String], _ link: String) -> String {
        link.split(separator: "/").reduce(into: folder) { path, part in
            if part == ".." { path.removeLast() } else if part != "." { path.append(String(part)) }
        }.joined(separator: "/")
    }

    /// As GitHub makes it from a heading.
    private static func anchor(_ heading: Substring) -> String {
        String(
            heading.drop { $0 == "#" || $0 == " " }.lowercased().filter {
                $0.isLetter || $0.isNumber || " -_".contains($0)
            }
            .map { $0 == " " ? "-" : $0 })
    }
}
