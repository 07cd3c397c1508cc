import Support
import Testing

/// What a program's own primitive says of itself, in every report.
@Suite struct RemarkTests {
    private static let words = ["go through entrance as number 1", "close entrance: it is evening"]

    private func run(_ arguments: String...) throws -> Ended {
        try plugin(["run", "own-primitive"] + arguments).run().succeeds()
    }

    @Test(arguments: ["--native", "--controlled"]) func `lanes say its verbs`(runtime: String) throws {
        let run = try run(runtime, "--format", "lanes")
        for words in Self.words { run.prints(words) }
    }

    @Test(arguments: ["--native", "--controlled"]) func `text says its names and values`(runtime: String) throws {
        let run = try run(runtime, "--format", "text")
        #expect(run.output.contains(#/visitor +turnstile.enter +entrance +[12] /#))
        #expect(run.output.contains(#/main +turnstile.close +entrance +it is evening/#))
    }

    @Test func `JSON has its words once, before the first event that uses them`() throws {
        let run = try run("--seed", "1", "--format", "json").printsJSONLines()
        let words =
            #"{"remark":1,"name":"turnstile.enter","verb":"go through {object} as number {value}","#
            + #""value":"number","counts":"level"}"#
        run.prints(words + "\n").prints(#""kind":"turnstile.enter","object":"entrance","value":2,"#)
            .prints(#""kind":"turnstile.close","object":"entrance","text":"it is evening","#)
        let parts = run.output.split(separator: words, omittingEmptySubsequences: false)
        #expect(parts.count == 2 && !parts[0].contains("turnstile.enter"))
    }

    @Test func `a page has its words`() throws {
        let directory = try TemporaryDirectory()
        _ = try run("--seed", "1", "--html", "\(directory.path)/page.html")
        let page = try #require(Files.text("\(directory.path)/page.html"))
        for words in Self.words { #expect(page.contains(words)) }
    }

    @Test(arguments: ["--native", "--controlled"])
    func `a saved trace has its words, for a program that does not know them`(runtime: String) throws {
        let directory = try TemporaryDirectory()
        let file = "\(directory.path)/run.trace"
        let run = try run(runtime, "--format", "lanes", "--save", file)
        let again = try threadlab("trace", file, "--format", "lanes").run().succeeds()
        #expect(rows(of: again) == rows(of: run))
        for words in Self.words { again.prints(words) }
    }

    /// Without what only the program with the scenario can say.
    private func rows(of run: Ended) -> [Substring] { Array(run.lines.prefix { !$0.hasPrefix("completed:") }) }
}
