import Diagnosis
import Support
import Testing

/// docs/glossary.md, and how `threadlab explain` prints it.
@Suite struct GlossaryTests {
    static let examples = Repository.blocks(of: "lab", in: "docs/glossary.md")

    @Test func `the glossary has the terms that a learner meets, each once`() {
        let words = Term.all.flatMap { [$0.name] + $0.synonyms }
        #expect(Term.all.count >= 50)
        #expect(Set(words).count == words.count)
    }

    @Test(arguments: Term.all) func `an entry has a meaning, a program and a source`(term: Term) throws {
        let page = try threadlab("explain", term.name).wide.run().succeeds().isSafeToShow()
        #expect(term.definition != nil && term.hasProgram)
        page.prints(term.name).prints("\nSource: ").prints("A program that shows it:")
        #expect(term.source?.isEmpty == false)
        for file in term.files { #expect(Repository.text(of: file) != nil, "\(file)") }
        if let finding = term.finding { page.prints("\n\(finding) ") }
    }

    @Test(arguments: Term.all) func `a section that a source names exists`(term: Term) throws {
        for match in (term.source ?? "").matches(of: /(docs\/[a-z-]+\.md), "([^"]+)"/) {
            let page = try #require(Repository.text(of: String(match.output.1)), "\(match.output.1)")
            #expect(page.contains("# \(match.output.2)\n"), "\(match.output.0)")
        }
    }

    @Test(arguments: Extent.part(of: Term.all, every: 4)) func `a term is found by all its names and forms`(term: Term)
        throws
    {
        let page = try threadlab("explain", term.name).run().succeeds().output
        let forms = [term.name.uppercased(), term.name.split(separator: " ").joined(separator: "-")] + term.synonyms
        for form in forms where FindingCode(word: form) == nil {
            #expect(try threadlab("explain", form).run().succeeds().output == page, "\(form)")
        }
    }

    @Test(arguments: [
        ("mutexes", "mutex"), ("latches", "latch"), ("data races", "data race"),
        ("lost wakeups", "lost wake-up"), ("happens before", "happens-before"), ("dpor", "partial-order reduction"),
        ("lost update", "race condition"), ("notify", "signal"), ("thundering herd", "broadcast"),
        ("connection pool", "permit"),
    ])
    func `plurals and abbreviations are understood`(word: String, term: String) throws {
        let page = try threadlab("explain", term).run().succeeds().output
        #expect(try threadlab("explain", word).run().succeeds().output == page)
    }

    @Test func `a term has JSON, and its program can be written to a file`() throws {
        let json = try threadlab("explain", "mutex", "--format", "json").run().succeeds().output
        #expect(isJSON(json) && json.contains("{\"term\":\"mutex\"") && json.contains("\"source\":\"POSIX"))
        try threadlab("explain", "mutex", "--example").run().succeeds().prints("scenario \"one thread at a time\"")
        try threadlab("explain", "predicate", "--example").run().exits(with: 2).complainsInOneLine(
            about: "no such program for 'predicate'")
        try threadlab("explain", "mutex", "--fixed").run().exits(with: 2).complainsInOneLine(about: "no such program")
    }

    // MARK: - The programs

    @Test(arguments: examples, ["--native", "--controlled"])
    func `a program ends as it says`(example: String, runtime: String) throws {
        try threadlab("run", file(example), runtime, "--runs", "5").run().succeeds().prints("5 of 5 runs: ")
    }

    @Test(arguments: examples) func `a program is in canonical form, and passes the check`(example: String) throws {
        let file = try file(example)
        try threadlab("format", "--check", file).run().succeeds().printsNothing()
        try threadlab("show", file).run().succeeds().isSilent()
        try threadlab("check", file, "--controlled", "--time", "60s").run().succeeds().prints("pass")
        try threadlab("check", file, "--native", "--time", "5s").run().succeeds().prints("pass")
    }

    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private func file(_ example: String) throws -> String {
        try directory.write("example.lab", Array(example.utf8))
    }
}
