import Glibc
import Testing

/// Which scenarios a check is about, how long it may take, and what must stay proved.
@Suite struct CheckSelectionTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try directory.directory("labs")
        let mixed = try CheckTests.mixed()
        for (name, content) in [("a", "good"), ("b", "bad"), ("c", "good"), ("d", "bad"), ("e", "good")] {
            _ = try directory.write("labs/\(name).lab", try #require(Files.read(mixed.file("\(content).lab"))))
        }
    }

    private func check(_ words: String...) throws -> Ended {
        try Invocation(program: Programs.threadlab, arguments: ["check", "labs", "--controlled"] + words)
            .inDirectory(directory.path).run()
    }

    private func git(_ words: String...) throws {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        try Invocation(program: "/usr/bin/git", arguments: ["-C", directory.path] + identity + words).run().exits(
            with: 0)
    }

    @Test func `patterns leave scenarios out`() throws {
        #expect(
            try check("--exclude", "b", "--exclude", "labs/[de].lab", "--list").output == "labs/a.lab\nlabs/c.lab\n")
        try check("--filter", "[ab]", "--exclude", "b").succeeds().prints("\n1 passed (")
        try check("--exclude", "*").exits(with: 2).complainsInOneLine(about: "--exclude leaves nothing to check")
    }

    @Test func `what failed before is checked again`() throws {
        try check("--result", "before").exits(with: 1)
        #expect(try check("--last-failed", "before", "--list").output == "labs/b.lab\nlabs/d.lab\n")
        _ = try directory.write("labs/b.lab", try #require(Files.read(directory.file("labs/a.lab"))))
        try check("--last-failed", "before", "--result", "now").exits(with: 1).prints("\n1 passed, 1 failed (")
        #expect(try check("--last-failed", "now", "--list").output == "labs/d.lab\n")
        _ = try directory.write("labs/d.lab", try #require(Files.read(directory.file("labs/a.lab"))))
        try check("--last-failed", "now", "--result", "now").succeeds().prints("\n1 passed (")
        try check("--last-failed", "now").succeeds().prints("nothing to check")
        try check("--last-failed", "none").exits(with: 2).complainsInOneLine(about: "cannot read none")
    }

    @Test func `after as many failures as are named, nothing more is started`() throws {
        try check("--maxfail", "1", "--jobs", "1").exits(with: 1).prints("1 passed, 1 failed, 3 not run (")
        try check("--maxfail", "2", "--jobs", "1").exits(with: 1).prints("2 passed, 2 failed, 1 not run (")
        try check("--maxfail", "3", "--jobs", "1").exits(with: 1).prints("3 passed, 2 failed (")
        try check("--maxfail", "1", "--result", "x").exits(with: 2).complainsInOneLine(about: "--maxfail and --result")
    }

    @Test func `the scenarios that took longest are listed`() throws {
        let check = try check("--durations", "2", "--filter", "[ace]").succeeds()
        let start = try #require(check.lines.firstIndex(of: "longest:"))
        #expect(check.lines[(start + 1)...].count == 3 && check.lines.last?.hasPrefix("3 passed") == true)
        #expect(check.lines[start + 1].contains(#/^ +[0-9.]+ s  labs/[ace]\.lab$/#))
    }

    // MARK: - Changes

    @Test(.enabled(if: access("/usr/bin/git", X_OK) == 0))
    func `what has not changed since a revision is left out`() throws {
        try check("--changed-since", "HEAD").exits(with: 2).complainsInOneLine(about: "is not in a git repository")
        try git("init", "--quiet")
        try git("add", ".")
        try git("commit", "--quiet", "--message", "one")
        try check("--changed-since", "HEAD").succeeds().prints("nothing to check")
        let text = try #require(Files.read(directory.file("labs/a.lab")))
        _ = try directory.write("labs/a.lab", text + Array("\n".utf8))
        _ = try directory.write("labs/new file.lab", text)
        let names = "labs/a.lab\nlabs/new file.lab\n"
        #expect(try check("--changed-since", "HEAD", "--list").output == names)
        // One that runs a compiled program depends on that too, which git does not know.
        _ = try directory.write("labs/run.lab", Array("scenario \"app\"\nrun \"./app\"\n".utf8))
        try git("add", ".")
        try git("commit", "--quiet", "--message", "two")
        let since = names + "labs/run.lab\n"
        #expect(try check("--changed-since", "HEAD~1", "--list").output == since)
        #expect(try check("--changed-since", "HEAD", "--list").output == "labs/run.lab\n")
        let inside = try Invocation(
            program: Programs.threadlab, arguments: ["check", ".", "--changed-since", "HEAD~1", "--list"]
        ).inDirectory(directory.file("labs")).run()
        #expect(inside.output == since)
        // Nor what this program's own code was, which a built-in scenario is.
        _ = try directory.write("labs/deadlock.lab", Array("scenario \"d\"\nrun deadlock\n".utf8))
        try git("add", ".")
        try git("commit", "--quiet", "--message", "three")
        #expect(try check("--changed-since", "HEAD", "--list").output == "labs/deadlock.lab\nlabs/run.lab\n")
        // Other options check everything otherwise.
        let all = try check("--list").output
        _ = try directory.write("threadlab.toml", Array("[check]\nseed = 7\n".utf8))
        #expect(try check("--changed-since", "HEAD", "--list").output == all)
        #expect(
            try check("--changed-since", "HEAD", "--list", "--no-config").output == "labs/deadlock.lab\nlabs/run.lab\n")
        unlink(directory.file("threadlab.toml"))
        for revision in ["none", "--output=x", ""] {
            try check("--changed-since=\(revision)").exits(with: 2).printsNothing()
                .complainsInOneLine(about: "--changed-since \(revision): ")
        }
        #expect(!directory.names.contains("x"))
    }

    // MARK: - Proofs

    @Test func `what was proved must stay so`() throws {
        try check("--exclude", "[bd]", "--write-proved", "proved").succeeds()
        #expect(
            Files.text(directory.file("proved"))?.hasSuffix("any more.\nlabs/a.lab\nlabs/c.lab\nlabs/e.lab\n") == true)
        try check("--exclude", "[bd]", "--proved", "proved").succeeds()
        let few = try check("--exclude", "[bd]", "--proved", "proved", "--runs", "2", "--junit", "x.xml").exits(with: 1)
        few.prints("listed in proved as proved, and is not any more: execution limit reached").prints(
            "\n0 passed, 3 failed (")
        #expect(
            Files.text(directory.file("x.xml"))?.contains(#"<failure type="not-proved" message="listed in proved as"#)
                == true)
        unlink(directory.file("labs/c.lab"))
        try check("--exclude", "[bd]", "--proved", "proved").exits(with: 1)
            .prints("listed in proved as proved, but is not among the scenarios checked: remove it there")
        try check("--filter", "a", "--proved", "proved").succeeds()
        try check("--proved", "none").exits(with: 2)
            .complainsInOneLine(about: "'none' does not exist: --write-proved creates it with the proofs of today")
    }

    // MARK: - Time

    @Test func `the time of a whole check is shared, and what had too little says so`() throws {
        let long = "scenario \"x\"\natomic n = 0\nthread t[4] { repeat 100 { n.add(1) } }\nexpect completes\n"
        for name in ["x", "y"] { _ = try directory.write("labs/\(name).lab", Array(long.utf8)) }
        // Whether an execution ends in its share depends on the machine; that it had a share, of which it says the
        // length, does not.
        let check = try check("--filter", "[xy]", "--total-time", "1s", "--jobs", "1", "--format", "json")
        #expect(check.output.matches(of: #/"expectation":"completes","allotted":[0-9.]+/#).count == 2)
        try self.check("--filter", "x", "--total-time", "1h", "--time", "100ms").doesNotPrint("of the total time")
        #expect(
            try self.check("--filter", "[xy]", "--total-time", "300ms", "--jobs", "2").output
                .matches(of: #/ s of the total time\n/#).count == 2)
    }
}
