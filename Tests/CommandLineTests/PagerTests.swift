import Testing

/// Long output on a terminal goes to a pager. `script` makes the terminal.
@Suite struct PagerTests {
    /// What a terminal with this number of rows shows.
    private func terminal(rows: Int, pager: String?, _ command: String) throws -> (ended: Ended, lines: [Substring]) {
        let line = "stty rows \(rows) cols 80; \(Programs.threadlab) \(command)"
        let script = Invocation(program: "/usr/bin/script", arguments: ["-qec", line, "/dev/null"]).with(
            "TERM", "xterm")
        let ended = try (pager.map { script.with("PAGER", $0) } ?? script).run()
        // A terminal ends a line with two characters, which Swift takes for one.
        return (ended, ended.output.replacing("\r\n", with: "\n").split(separator: "\n"))
    }

    @Test(arguments: ["show", "run deadlock --seed 1"]) func `what is longer than the screen is shown in the pager`(
        command: String
    ) throws {
        let (ended, lines) = try terminal(rows: 10, pager: "head -n 2", command)
        ended.exits(with: 0)
        // Two lines, of which one may be empty.
        #expect((1...2).contains(lines.count))
    }

    @Test(arguments: [
        (rows: 1000, pager: "head -n 2", command: "show --long"),
        (rows: 10, pager: "head -n 2", command: "--no-pager show --long"),
        (rows: 10, pager: "cat", command: "show --long"), (rows: 10, pager: "", command: "show --long"),
        (rows: 10, pager: "/nowhere/pager 2>/dev/null", command: "show --long"),
    ])
    func `what fits, or has no pager, is printed`(rows: Int, pager: String, command: String) throws {
        let (ended, lines) = try terminal(rows: rows, pager: pager, command)
        ended.exits(with: 0)
        #expect(lines.count > 100)
    }

    @Test func `a terminal without a size is taken for one of 24 rows`() throws {
        #expect(try terminal(rows: 0, pager: "head -n 2", "show basics").lines.count > 10)
        #expect(try terminal(rows: 0, pager: "head -n 2", "show classics").lines.count <= 2)
    }

    @Test func `a pipe or a file never has a pager`() throws {
        let list = try threadlab("show", "--long").with("PAGER", "head -n 2").with("TERM", "xterm").run().succeeds()
        #expect(list.lines.count > 100)
    }

    @Test func `the exit code is the command's, not the pager's`() throws {
        try terminal(rows: 10, pager: "cat >/dev/null; exit 7", "explain TL101").ended.exits(with: 0)
        try terminal(rows: 5, pager: "head -n 1", "trace --findings nothing.trace").ended.exits(with: 2)
    }
}
