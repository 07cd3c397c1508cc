import Support
import Testing

/// Commands that pages name within their sentences. `ExampleTests` runs those in blocks.
@Suite struct CommandsInProseTests {
    /// The pages, with the articles.
    static let pages = ExampleTests.pages
    private static let commands = CommandTests.commands + ["help"]

    @Test(arguments: pages) func `a command line works, whatever takes the place of NAME, and a command exists`(
        page: String
    ) throws {
        let lines = Self.spans(of: page, by: "threadlab")
        guard !lines.isEmpty else { return }
        let reader = try Reader()
        // What a reader of the pages would have.
        try reader.type("threadlab new mine")
        try reader.type("threadlab new buffer --from bounded-buffer")
        try reader.type("threadlab new opposite")
        try reader.type("threadlab run shutdown --save failure.trace")
        for line in lines {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 2, Self.commands.contains(words[1]) { continue }
            guard let whole = Self.filled(words) else {
                #expect(Self.commands.contains(words[1]), "\(page): \(line)")
                continue
            }
            try reader.type(whole)
        }
    }

    @Test(arguments: pages) func `what make is asked for exists`(page: String) throws {
        let rules = ["Makefile", "packaging/packages.mk"].compactMap { Repository.text(of: $0) }.joined(separator: "\n")
        let targets = Set(rules.matches(of: /(?m)^([a-z-]+):/).map { String($0.output.1) })
        #expect(targets.isSuperset(of: ["build", "test", "dist"]))
        for line in Self.spans(of: page, by: "make") + Self.blockLines(of: page, by: "make") {
            for word in line.split(separator: " ").dropFirst() where word.allSatisfy({ $0.isLowercase || $0 == "-" }) {
                if word.hasPrefix("-") { continue }
                #expect(targets.contains(String(word)), "\(page): \(line)")
            }
        }
    }

    @Test func `a command that the Makefile runs or tells of exists`() throws {
        let rules = try #require(Repository.text(of: "Makefile"))
        let commands = /\$\((?:DEMO|THREADLAB|SHOWN)\) (?:--no-pager )?([a-z_-]+)/
        let words = rules.matches(of: commands).map {
            String($0.output.1)
        }
        #expect(Set(words).isSuperset(of: ["run", "explore", "show", "check"]))
        #expect(Set(words).subtracting(Self.commands + ["--completion", "__man"]) == [])
    }

    @Test(arguments: pages) func `a part of the benchmarks exists`(page: String) throws {
        let sources = Repository.paths(in: "Sources/benchmarks", ending: ".swift")
            .compactMap { Repository.text(of: $0) }.joined()
        #expect(!sources.isEmpty)
        for line in Self.spans(of: page, by: ".build-lto/release/benchmarks") {
            for word in line.split(separator: " ").dropFirst() {
                #expect(sources.contains("\"\(word)\""), "\(page): \(line)")
            }
        }
    }

    @Test(arguments: pages) func `the tests that a page names exist`(page: String) throws {
        let names = (Repository.text(of: page) ?? "").matches(of: /`([A-Z][A-Za-z]+Tests)`/).map {
            String($0.output.1)
        }
        #expect(Set(names).subtracting(Self.suites) == [], "\(page)")
    }

    /// The suites of tests, and their modules.
    private static let suites = Set(
        Repository.files(in: "Tests", ending: ".swift").flatMap { source in
            source.matches(of: /(?:struct|class) ([A-Za-z]+Tests)\b/).map { String($0.output.1) }
        } + Repository.paths(in: "Tests", ending: ".swift").map { String($0.split(separator: "/")[1]) })

    // MARK: - Reading pages

    /// Code within sentences that begins with the program's name, up to a pipe or another command.
    private static func spans(of page: String, by program: String) -> [String] {
        var isBlock = false
        var lines: [String] = []
        for line in (Repository.text(of: page) ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") { isBlock.toggle() }
            if isBlock { continue }
            for match in line.matches(of: /`([^`]+)`/) where match.output.1.hasPrefix(program + " ") {
                let ends = [" | ", "; ", " > "].compactMap { match.output.1.firstRange(of: $0)?.lowerBound }
                lines.append(String(match.output.1[..<(ends.min() ?? match.output.1.endIndex)]))
            }
        }
        return lines
    }

    private static func blockLines(of page: String, by program: String) -> [String] {
        var isBlock = false
        return (Repository.text(of: page) ?? "").split(separator: "\n").compactMap { line in
            if line.hasPrefix("```") { isBlock.toggle() }
            guard isBlock, line.hasPrefix(program + " ") else { return nil }
            return line.firstRange(of: "  ").map { String(line[..<$0.lowerBound]) } ?? String(line)
        }
    }

    /// Some text for each placeholder.
    private static let meanings = [
        "NAME": "lost-update", "NAME…": "lost-update", "FILE": "mine.lab", "FILE…": "mine.lab", "PATH…": "scenarios",
        "TRACE": "failure.trace", "TERM": "race", "A": "lost-update", "B": "lost-update-fixed", "S": "1", "N": "3",
    ]

    /// The line as it can be typed. Nil: it leaves out more than that.
    private static func filled(_ words: [String]) -> String? {
        var words = words.map { meanings[$0] ?? $0 }
        if words.contains(where: { $0.contains("…") || $0.contains(/[A-Z]{2,}(?![A-Z0-9])/) }) { return nil }
        // These need a learner's folder: LearnTests and WorkshopTests have one.
        if words[1] == "learn", words.count > 2, !words[2].allSatisfy({ $0.isNumber || $0 == "." }), words[2] != "list"
        {
            return nil
        }
        // An option is named with its command alone.
        if words.count > 2, ["run", "explore"].contains(words[1]), words[2].hasPrefix("--") {
            words.insert("lost-update", at: 2)
        }
        // A new file must not exist.
        if words[1] == "new" { words[words.count - 1] = "another" }
        // All of them take minutes.
        if words.contains("--builtin") { words.append("--list") }
        return words.joined(separator: " ")
    }
}
