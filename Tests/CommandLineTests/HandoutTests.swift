import FoundationEssentials
import Glibc
import Testing

/// `export` of handouts. What is on its pages is tested in ReportsTests.
@Suite struct HandoutTests {
    @Test func `a sheet and its solution are two drawings`() throws {
        let directory = try TemporaryDirectory()
        let sheet = directory.file("sheet.svg")
        try threadlab("export", "lost-update", sheet, "--as", "handout").run().succeeds()
            .prints("sheet-solution.svg: 16 steps, the end is 'assertion'").prints(
                "The run: threadlab replay lost-update")
        #expect(directory.names == ["sheet-solution.svg", "sheet.svg"])
        let task = try #require(Files.text(sheet))
        let solution = try #require(Files.text(directory.file("sheet-solution.svg")))
        #expect(task.contains(">shared count = 0") && !task.contains("expect") && !task.contains("sometimes only one"))
        #expect(!task.contains("read count") && solution.contains("read count = 0"))
    }

    @Test func `the run is that of the schedule or the seed, with the program's parameters`() throws {
        let directory = try TemporaryDirectory()
        let sheet = directory.file("x.svg")
        let schedule = "1x3,0,2x3,0x4"
        try threadlab("export", "lost-update", sheet, "--schedule", schedule, "--as", "handout").run().succeeds()
            .prints(
                schedule)
        let wide = threadlab("export", "bounded-buffer", sheet, "--capacity", "3", "--seed", "2", "--as", "handout")
        try wide.run().succeeds().prints("--capacity 3").prints("steps are not on the sheet")
        #expect(try #require(Files.text(sheet)).contains("capacity = 3"))
        try threadlab("export", "deadlock", sheet, "--title", "Exercise 1", "--as", "handout").run().succeeds()
        #expect(try #require(Files.text(sheet)).contains(">Exercise 1<"))
    }

    @Test func `a PDF has both pages, and without the tool that makes it there is one sentence`() throws {
        let directory = try TemporaryDirectory()
        let file = directory.file("sheet.pdf")
        let handout = threadlab("export", "lost-update", file, "--as", "handout")
        try handout.with("PATH", "/nowhere").run().exits(with: 3).complainsInOneLine(about: "the package librsvg2-bin")
        #expect(directory.names.isEmpty)
        guard access("/usr/bin/rsvg-convert", X_OK) == 0 else { return }
        try handout.run().succeeds()
        let bytes = try #require(Files.read(file))
        #expect(bytes.starts(with: Array("%PDF".utf8)) && directory.names == ["sheet.pdf"])
    }

    @Test func `what cannot be written is said before anything runs`() throws {
        try threadlab("export", "lost-update", "--as", "handout").run().exits(with: 2).complainsInOneLine(
            about: "handout.pdf")
        try threadlab("export", "lost-update", "/nowhere/x.svg", "--as", "handout").run().exits(with: 2)
            .complainsInOneLine(about: "there is no folder")
        try threadlab("export", "lost-update", "/tmp/x.svg", "--as", "handout", "--schedule", "9x9").run().exits(
            with: 2
        )
        .complainsInOneLine(about: "the schedule does not fit")
        try threadlab("export", "deadlock", "/tmp/x.svg", "--variant", "ring", "--threads", "30", "--as", "handout")
            .run()
            .exits(with: 2).complainsInOneLine(about: "at most 24 threads")
    }
}
