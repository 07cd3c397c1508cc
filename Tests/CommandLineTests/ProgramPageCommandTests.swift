import FoundationEssentials
import Testing

/// `export` of a program's page. What a page holds is tested in ReportsTests, and how it is used in Tests/Views.
@Suite struct ProgramPageCommandTests {
    @Test func `a program becomes a page, and what is on it is said`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("page.html")
        try threadlab("export", "gate-lock", file).run().succeeds().prints("50 states and 70 moves")
            .prints("none fails")
        let text = try #require(Files.text(file))
        #expect(text.contains("<title>gate lock</title>"))
        try threadlab("export", "opposite-orders", file).run().succeeds().prints("deadlock")
        #expect(try #require(Files.text(file)).contains("threadlab replay opposite-orders --schedule"))
    }

    @Test func `parameters and rules are those of other commands`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("page.html")
        try threadlab("export", "bounded-buffer", file, "--capacity", "2", "--spurious", "1").run().succeeds()
        let text = try #require(Files.text(file))
        #expect(text.contains("capacity=2, spurious=1"))
        #expect(text.contains("replay bounded-buffer --capacity 2 --spurious 1 --schedule"))
        try threadlab("export", "bounded-buffer", file, "--capacity", "9").run().exits(with: 2)
            .complainsInOneLine(about: "capacity")
    }

    @Test func `what cannot be a page of states is one clear message`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("page.html")
        try threadlab("export", "gate-lock", "--as", "page").run().exits(with: 2).complainsInOneLine(about: "page.html")
        try threadlab("export", "deadlock", file, "--as", "page").run().exits(with: 2)
            .complainsInOneLine(about: "threadlab play deadlock")
        try threadlab("export", "safe-stack", file).run().exits(with: 2)
            .complainsInOneLine(about: "has more than 200,000 states")
        try threadlab("export", "nowhere", file).run().exits(with: 2).complainsInOneLine(about: "nowhere")
        try threadlab("export", "gate-lock", directory.file("none/page.html")).run().exits(with: 2)
        #expect(directory.names == [])
    }
}
