import Glibc
import Support
import Testing

/// What CONTRIBUTING.md, docs/ARCHITECTURE.md and docs/decisions say of the code and of themselves.
@Suite struct ContributionTests {
    /// A row of the table of additions: how many source files name its example.
    struct Addition: CustomTestStringConvertible {
        let name: Substring
        let files: Int
        let words: [String]

        var testDescription: String { String(name) }
    }

    static let additions = (Repository.text(of: "CONTRIBUTING.md") ?? "").split(separator: "\n").compactMap { line in
        line.wholeMatch(of: /\| (.+) \| (\d+) \| (`.+`) \|/).map { match in
            Addition(
                name: match.output.1, files: Int(match.output.2) ?? 0,
                words: match.output.3.matches(of: /`([^`]+)`/).map { String($0.output.1) })
        }
    }

    static let sources = Repository.paths(in: "Sources", ending: ".swift").sorted()

    static let rooms = Set(
        (sources + Repository.paths(in: "Sources", ending: ".c")).compactMap {
            $0.split(separator: "/").dropFirst().first
        })

    @Test func `the table has numbers of files`() { #expect(Self.additions.count >= 6) }

    @Test(arguments: additions) func `an addition has as many source files as the table says`(addition: Addition) throws
    {
        let words = try Regex(#"\b(?:"# + addition.words.joined(separator: "|") + #")\b"#).ignoresCase()
            .wordBoundaryKind(.simple)
        let files = Self.sources.filter { path in
            let isUse = ["Scenarios", "benchmarks", "Costs"].contains { path.hasPrefix("Sources/\($0)/") }
            // A scenario is not an example of what it uses.
            return (!isUse || addition.name.contains("a scenario"))
                && (Repository.text(of: path) ?? "").contains(words)
        }
        #expect(files.count == addition.files, "\(files.joined(separator: "\n"))")
    }

    @Test(arguments: ["CONTRIBUTING.md", "docs/ARCHITECTURE.md"])
    func `every place in the sources that a page names exists`(page: String) throws {
        let text = try #require(Repository.text(of: page))
        let places = text.matches(of: /`([A-Za-z]+)\/([A-Za-z+\/.]*)`/).filter { Self.rooms.contains($0.output.1) }
        #expect(places.count > 20)
        for place in places {
            let path = "Sources/\(place.output.1)/\(place.output.2)"
            let isThere = ["", ".swift", ".c"].contains { access("\(Repository.root)/\(path)\($0)", F_OK) == 0 }
            #expect(isThere, "\(page): \(path)")
        }
    }

    @Test func `the map names every room`() throws {
        let map = try #require(Repository.text(of: "docs/ARCHITECTURE.md"))
        let names = Set(map.split { !$0.isLetter && $0 != "-" })
        let manifest = try #require(Repository.text(of: "Package.swift"))
        for room in Self.rooms where manifest.contains("\"\(room)\"") {
            #expect(names.contains(room), "\(room)")
        }
    }

    static let decisions = Repository.paths(in: "docs/decisions", ending: ".md").filter { !$0.hasSuffix("README.md") }
        .sorted()

    @Test(arguments: decisions) func `a decision has at most 300 words, and its title in the list`(path: String) throws
    {
        let text = try #require(Repository.text(of: path))
        #expect(text.split(whereSeparator: \.isWhitespace).count <= 300)
        let title = try #require(text.firstMatch(of: /# (\d+)\. (.+)/))
        let line = "\(title.output.1). [\(title.output.2)](\(path.split(separator: "/").last ?? ""))"
        let list = try #require(Repository.text(of: "docs/decisions/README.md"))
        #expect(list.split(separator: "\n").contains(Substring(line)))
    }
}
