import Support
import Testing
import Trace

/// `--html FILE`
@Suite struct PageTests {
    private func read(_ path: String) throws -> ReadPage {
        let html = try #require(Files.text(path))
        return try #require(ReadPage(html))
    }

    @Test(arguments: Extent.part(of: GoldenTraceTests.all, every: 4))
    func `a page has the states that the saved trace has`(golden: GoldenTraceTests.Golden) throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let (page, saved) = (directory.file("run.html"), directory.file("run.trace"))
        let seed = golden.options.contains("--seed") ? [] : ["--seed", "1"]
        let options = seed + ["--format", "none", "--save", saved, "--html", page]
        let run = try Invocation(program: Programs.threadlab, arguments: golden.command + options).run()
        #expect(run.errors == "")
        let bytes = try #require(Files.read(saved))
        let trace = try TraceReader.read(bytes)
        let shown = try read(page)
        #expect(shown.differences(from: trace) == [])
    }

    @Test func `a page shows the text of a program, of a run, a replay, a trace and a finding`() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let (page, saved) = (directory.file("run.html"), directory.file("run.trace"))
        let commands = [
            ["run", "lost-update", "--seed", "3", "--save", saved], ["trace", saved], ["replay", saved],
            ["run", "lost-update", "--seed", "1", "--runs", "20"], ["explore", "lost-update"],
        ]
        for command in commands {
            _ = try Invocation(program: Programs.threadlab, arguments: command + ["--html", page]).run()
            let shown = try read(page)
            let lines = shown.data["files"].items[0]["lines"].items.map { $0.items[1].text }
            #expect(
                lines.contains("thread adder[2] {  // two threads, adder[0] and adder[1]; `index` is 0 or 1 inside"))
        }
    }

    @Test func `a page is not written if a search finds nothing, or where no file can be`() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let page = directory.file("none.html")
        let run = try threadlab("explore", "lost-update-fixed", "--html", page).run().exits(with: 0)
        #expect(run.errors.contains("is not written: there is no finding"))
        #expect(Files.read(page) == nil)
        let refused = try threadlab("run", "deadlock", "--html", "/nowhere/x.html").run().exits(with: 2)
        #expect(refused.errors.contains("cannot save the page in '/nowhere/x.html'"))
    }

    @Test func `a page of each failure belongs to a check's index`() throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let race = """
            scenario "<b>race</b>"
            shared count = 0
            thread adder[2] { count = count + 1 }
            expect completes

            """
        _ = try directory.write("index.lab", Array(race.utf8))
        _ = try directory.write(
            "good.lab", Array("scenario \"good\"\nmutex m\nthread t { lock m {} }\nexpect completes\n".utf8))
        let pages = directory.file("pages")
        try threadlab("check", "index.lab", "good.lab", "--controlled", "--html", "pages")
            .inDirectory(directory.path).run().exits(with: 1)
        #expect(TemporaryDirectory.names(in: pages).sorted() == ["index-2.html", "index.html"])
        let index = try #require(Files.text("\(pages)/index.html"))
        #expect(index.contains("<a href=\"index-2.html\">"))
        #expect(index.contains("1 passed, 1 failed"))
        #expect(!index.contains("<script"))
        let page = try read("\(pages)/index-2.html")
        #expect(page.data["findings"].items.contains { $0["code"] == .string("TL201") })
        #expect(!page.html.contains("<b>race"))
    }
}
