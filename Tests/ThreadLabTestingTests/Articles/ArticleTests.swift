import Support
import Testing

@Suite struct ArticleTests {
    @Test(arguments: names)
    func `the Swift code of every article is compiled and run`(article: String) throws {
        let text = try #require(Repository.text(of: article))
        let compiled = try ["ArticleCode", "TwoAdders"].map {
            try #require(Repository.text(of: "Tests/ThreadLabTestingTests/Articles/\($0).swift"))
        }.joined()
        let known = Set(compiled.split(separator: "\n").map { Self.trimmed($0).replacing("@Test ", with: "") })
        for line in Self.swiftLines(of: text) where !line.isEmpty {
            #expect(known.contains(line.replacing("@Test ", with: "")), "compiled nowhere: \(line)")
        }
    }

    private static let names =
        Repository.paths(in: "docs/ThreadLab.docc", ending: ".md").sorted() + ["docs/specifications.md"]

    private static func swiftLines(of text: String) -> [String] {
        var lines: [String] = []
        var isCode = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                isCode = line == "```swift"
            } else if isCode {
                lines.append(trimmed(line))
            }
        }
        return lines
    }

    private static func trimmed(_ line: Substring) -> String { String(line.drop { $0 == " " }) }
}
